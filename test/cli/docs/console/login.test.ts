// @thorough: logs in at an authorization server in a browser.
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import express, { type Express } from "express";
import { close, listen } from "../../../support/http.js";
import { describeInChromium } from "../../../support/in-chromium.js";
import { writeSite } from "../site-folder.js";
import { CLIENT, createAuthorizationServer, createGuarded } from "./authorization-server.js";
import { readTab, sendAndHear, tryOperation } from "./calling.js";

describeInChromium("login by OAuth 2.0 in Chromium", (browser) => {
  async function serve(app: Express): Promise<string> {
    const server = createServer(app);
    browser.after(() => close(server));
    return `http://127.0.0.1:${await listen(server)}`;
  }

  /** Opens the docs of a service that responds with the token that it gets. */
  async function open(file = "", seconds?: number) {
    const requests: Readonly<Record<string, string>>[] = [];
    const issuer = await serve(createAuthorizationServer(requests, seconds));
    const app = express();
    const { folder } = writeSite(createGuarded(issuer), { service: "/" });
    browser.after(() => rm(folder, { recursive: true }));
    app.use("/docs", express.static(folder));
    app.get("/me", ({ headers, originalUrl }, response) => {
      response.json([headers.authorization, originalUrl]);
    });
    const docs = `${await serve(app)}/docs/`;
    const { page, complaints } = await browser.openPage();
    await page.goto(docs + file);
    const panel = await tryOperation(page, "me");
    await panel.getByText("Get a token by OAuth 2.0").click();
    return { page, panel, complaints, docs, requests };
  }

  test("with a code and PKCE, the reader comes back to the form, and the token is sent", async () => {
    const { page, panel, complaints, docs, requests } = await open();
    await panel.getByLabel("note", { exact: true }).fill("kept");
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await panel.getByLabel("write").check();
    expect(await panel.getByText("redirect address").innerText()).toContain(docs);
    await panel.getByRole("button", { name: "Log in" }).click();
    await panel.getByText("You are logged in. It is valid for 60 s.").waitFor();
    expect(page.url().replace(/#.*/, "")).toBe(docs);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })")).toBe("{}");
    expect(await sendAndHear(panel)).toMatch(/^200 OK/);
    expect(JSON.parse(await readTab(panel, "Body"))).toEqual([
      "Bearer token for read write",
      "/me?note=kept",
    ]);
    expect(requests).toEqual([
      expect.objectContaining({ grant_type: "authorization_code", client_id: CLIENT.id, redirect_uri: docs }),
    ]);
    expect(complaints).toEqual([]);
  });

  test("the reader comes back to the page that was left, whichever the redirect address leads to", async () => {
    const { page, panel, docs, requests } = await open("index.html");
    // The contract does not know it.
    await panel.getByLabel("Service").selectOption("Another address");
    await panel.getByLabel("Address", { exact: true }).fill(`${new URL(docs).origin}/other`);
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await panel.getByRole("button", { name: "Log in" }).click();
    await panel.getByText("You are logged in.").waitFor();
    expect(page.url().replace(/#.*/, "")).toBe(`${docs}index.html`);
    expect(requests).toEqual([expect.objectContaining({ redirect_uri: docs })]);
    expect(await panel.getByLabel("login", { exact: true }).inputValue()).toBe("token for read");
  });

  test("a way back that this page did not begin gets no token", async () => {
    const { page, panel, docs, requests } = await open();
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await page.route(/\/authorize/, (route) =>
      route.fulfill({ status: 302, headers: { Location: `${docs}?code=of-another&state=guessed` } }),
    );
    await panel.getByRole("button", { name: "Log in" }).click();
    await panel.getByText("The login failed. It is not the one that this page began.").waitFor();
    expect(requests).toEqual([]);
    // It is used up: the same address does nothing more.
    await page.goto(`${docs}?code=of-another&state=guessed`);
    expect(await page.locator(".console").count()).toBe(0);
  });

  test("an error of the authorization server is shown", async () => {
    const { panel } = await open();
    await panel.getByLabel("Client ID").fill("stranger");
    await panel.getByRole("button", { name: "Log in" }).click();
    await panel.getByText("The login failed. No code: invalid_request.").waitFor();
    expect(await panel.getByLabel("login", { exact: true }).inputValue()).toBe("");
  });

  test("client credentials get a token, and an error that says why there is none", async () => {
    const { panel, requests } = await open();
    await panel.getByLabel("Flow").selectOption("Client credentials");
    await panel.getByRole("button", { name: "Get a token" }).click();
    await panel.getByText("The login failed. Fill in the client ID.").waitFor();
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await panel.getByRole("button", { name: "Get a token" }).click();
    await panel
      .getByText("The login failed. No token: the response is 400: invalid_grant (It is wrong).")
      .waitFor();
    await panel.getByLabel("Client secret").fill(CLIENT.secret);
    await panel.getByRole("button", { name: "Get a token" }).click();
    await panel.getByText("The token is filled in. It is valid for 60 s.").waitFor();
    await sendAndHear(panel);
    expect(JSON.parse(await readTab(panel, "Body"))).toEqual(["Bearer token for read 2", "/me"]);
    expect(requests.at(-1)).toEqual({ grant_type: "client_credentials", scope: "read" });
  });

  test("a token that has ended is renewed before the request", async () => {
    const { panel, requests } = await open("", 0);
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await panel.getByRole("button", { name: "Log in" }).click();
    await panel.getByText("You are logged in.").waitFor();
    for (const count of [2, 3]) {
      await sendAndHear(panel);
      expect(JSON.parse(await readTab(panel, "Body"))).toEqual([`Bearer token for read ${count}`, "/me"]);
    }
    const renewal = (count: number) => ({
      ...{ grant_type: "refresh_token", refresh_token: `refresh-${count}`, client_id: CLIENT.id },
    });
    expect(requests.slice(1)).toEqual([renewal(1), renewal(2)]);
    // What the reader enters stays.
    await panel.getByLabel("login", { exact: true }).fill("own");
    await sendAndHear(panel);
    expect(JSON.parse(await readTab(panel, "Body"))).toEqual(["Bearer own", "/me"]);
    expect(requests).toHaveLength(3);
  });

  test("a token of client credentials is got anew, and a failure is shown", async () => {
    const { page, panel, requests } = await open("", 0);
    await panel.getByLabel("Flow").selectOption("Client credentials");
    await panel.getByLabel("Client ID").fill(CLIENT.id);
    await panel.getByLabel("Client secret").fill(CLIENT.secret);
    await panel.getByRole("button", { name: "Get a token" }).click();
    await panel.getByText("The token is filled in.").waitFor();
    await sendAndHear(panel);
    expect(JSON.parse(await readTab(panel, "Body"))).toEqual(["Bearer token for read 2", "/me"]);
    await page.route(/\/token/, (route) => route.fulfill({ status: 503 }));
    await sendAndHear(panel);
    await panel.getByText("The token was not renewed. No token: the response is 503.").waitFor();
    expect(requests).toHaveLength(2);
  });
});
