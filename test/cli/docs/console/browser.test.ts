// @thorough: calls a service from the docs in a browser.
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import express, { type Express } from "express";
import { createDocsSite } from "../../../../src/cli/docs/index.js";
import { close, listen } from "../../../support/http.js";
import { startPetStore, type OwnPetStore } from "../../../support/petstore.js";
import type { WatchedPage } from "../../../support/chromium.js";
import { describeInChromium } from "../../../support/in-chromium.js";
import { loadRouted, serve as serveMock } from "../../mock/serve.js";
import { createSiteRouter, PET_STORE } from "../serve.js";
import { findBarriers } from "../axe.js";
import { hasFocus, waitUntilAtTop } from "../reading.js";
import { createHostileApp, FORMS, hear, readTab, sendAndHear, tryOperation } from "./calling.js";

const WIDTHS = [390, 768, 1280];

/** The browser itself reports every 4xx on its console. */
const REPORTED_STATUS = /^error: Failed to load resource: the server responded with a status of 4\d\d/;

describeInChromium("console in Chromium", (browser) => {
  let store: OwnPetStore;
  beforeAll(async () => {
    store = await startPetStore();
  });

  afterAll(async () => {
    await store.stop();
  });

  async function open(url: string, width = 1280): Promise<WatchedPage> {
    const watched = await browser.openPage(width);
    await watched.page.goto(url);
    await watched.page.locator("h1").waitFor();
    return watched;
  }

  /** Opens the form of an operation of docs, by default the store's. */
  async function openOperation(id: string, { docs = `${store.url}/docs/`, width = 1280 } = {}) {
    const watched = await open(`${docs}#operation/${id}`, width);
    return { ...watched, panel: await tryOperation(watched.page, id) };
  }

  /** Serves an app, whose docs are below /docs. */
  async function serve(app: Express): Promise<string> {
    const server = createServer(app);
    browser.after(() => close(server));
    return `http://127.0.0.1:${await listen(server)}`;
  }

  /** A folder with the site. */
  function writeSite(...[contract, options]: Parameters<typeof createDocsSite>): string {
    const folder = mkdtempSync(join(tmpdir(), "tenon-console-"));
    browser.after(() => rm(folder, { recursive: true }));
    for (const { name, text } of createDocsSite(contract, options)) writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, "index.html")).href;
  }

  test.each(WIDTHS)("at %d pixels an animal is added and read back", async (width) => {
    const { page, panel, requests, complaints } = await openOperation("createPet", { width });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await panel.getByLabel("bearerAuth").fill(store.key);
    await panel.getByLabel("Content").fill('{ "name": "Ada", "categoryId": 9007199254740991 }');
    expect(await sendAndHear(panel)).toMatch(/^201 Created after .+ ms\. The response is valid\.$/);
    const { id } = JSON.parse(await readTab(panel, "Body")) as { id: number };

    const other = await tryOperation(page, "getPet");
    expect(await other.getByLabel("bearerAuth").inputValue()).toBe(store.key);
    await other.getByLabel("petId", { exact: true }).fill(String(id));
    expect(await sendAndHear(other)).toMatch(/^200 OK after .+ The response is valid\.$/);
    expect(JSON.parse(await readTab(other, "Body"))).toEqual({
      id,
      name: "Ada",
      categoryId: 9007199254740991,
    });
    expect(await readTab(other, "Headers")).toContain("deprecation: @");
    expect(await readTab(other, "Request")).toContain("Bearer $TENON_AUTH_BEARER_AUTH");
    expect(await readTab(other, "curl")).toBe(
      `curl -i -H "Authorization: Bearer $TENON_AUTH_BEARER_AUTH" '${store.url}/v1/pets/${id}'`,
    );
    await other.getByRole("tabpanel").locator(".code").hover();
    await other.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("status").getByText("Copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl -i -H/);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(complaints).toEqual([]);
    expect([...new Set(requests.map((url) => new URL(url).origin))]).toEqual([store.url]);
  });

  test("each example of a body can be filled in", async () => {
    const { panel, complaints } = await openOperation("createPet");
    const content = panel.getByLabel("Content");
    expect(await content.inputValue()).toContain("Rex");
    await panel.getByLabel("Example").selectOption("Required fields only");
    expect(JSON.parse(await content.inputValue())).toEqual({ name: "Tom", categoryId: 2 });
    expect(complaints).toEqual([]);
  });

  test("nothing of the console is loaded before the first operation is tried", async () => {
    const { page, requests } = await open(`${store.url}/docs/`);
    const listOwn = () => requests.filter((url) => url.includes("console"));
    expect(listOwn()).toEqual([]);
    await tryOperation(page, "createPet");
    await tryOperation(page, "getPet");
    expect(listOwn().map((url) => url.slice(`${store.url}/docs/`.length))).toEqual([
      "console.css",
      "console-data.js",
      "console.js",
    ]);
  });

  test("a host that lacks the files of the console is reported", async () => {
    const { page } = await open(`${store.url}/docs/`);
    await page.route(/console\.js$/, (route) => route.abort());
    await page.getByRole("button", { name: "Try it" }).first().click();
    await page.getByRole("alert").getByText("The files of the console are missing.").waitFor();
  });

  test.each(["Close", "Escape"])(
    "%s returns to the samples, and keeps the form and its response",
    async (way) => {
      const { page, panel } = await openOperation("createPet");
      const operation = page.locator('[id="operation/createPet"]');
      const samples = operation.getByRole("tablist", { name: "Language" });
      expect(await samples.isVisible()).toBe(false);
      await panel.getByLabel("Content").fill("{}");
      await sendAndHear(panel);
      if (way === "Close") await panel.getByRole("button", { name: "Close" }).click();
      else await page.keyboard.press("Escape");
      expect(await samples.isVisible()).toBe(true);
      expect(await panel.isVisible()).toBe(false);
      expect(await hasFocus(operation.getByRole("button", { name: "Try it" }))).toBe(true);
      await page.keyboard.press("Enter");
      await panel.waitFor();
      expect(await hasFocus(panel)).toBe(true);
      expect(await panel.getByLabel("Content").inputValue()).toBe("{}");
      expect(await hear(panel)).toMatch(/^401/);
    },
  );

  test("a link to an operation leads to it while its form is open", async () => {
    const { page, panel } = await openOperation("createPet");
    await page.locator("#menu").getByRole("link", { name: "List orders" }).click();
    await waitUntilAtTop(page, "operation/listOrders");
    await page.goBack();
    await waitUntilAtTop(page, "operation/createPet");
    expect(await panel.isVisible()).toBe(true);
  });

  test("a call without a key says which one is required, and moves the focus there", async () => {
    const { page, panel, complaints } = await openOperation("listPets");
    expect(await sendAndHear(panel)).toMatch(/^401 Unauthorized/);
    expect(await panel.locator(".notice").allInnerTexts()).toContain(
      "The service requires a key: fill in bearerAuth.",
    );
    expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("bearerAuth");
    await page.keyboard.type("pst_wrong");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("The service did not accept the key: check bearerAuth.").first().waitFor();
    expect(complaints.filter((complaint) => !REPORTED_STATUS.test(complaint))).toEqual([]);
  });

  test("violations are shown before a request is sent, and it can be sent anyway", async () => {
    const { panel } = await openOperation("listPets");
    const verdict = panel.getByRole("region", { name: "The contract's verdict on the request" });
    expect((await verdict.innerText()).trim()).toBe("The request is valid.");
    await panel.getByLabel("bearerAuth").fill(store.key);
    await panel.getByLabel("limit", { exact: true }).fill("101");
    const mistake = '"/query/limit" is 101; the contract says maximum 100';
    expect(await verdict.getByRole("listitem").allInnerTexts()).toEqual([mistake]);
    expect(await panel.getByLabel("limit", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await sendAndHear(panel)).toMatch(/^400 Bad Request .+ response is valid\.$/);
  });

  test("the place of a mistake in JSON is shown, and it is sent as it stands", async () => {
    const { panel } = await openOperation("createPet");
    await panel.getByLabel("bearerAuth").fill(store.key);
    await panel.getByLabel("Content").fill('{\n  "name": "Ada",\n}');
    const message =
      'The body is not JSON. Line 3, column 1: A name in double quotes was expected, and not "}"';
    expect(await panel.locator(".mistake", { hasText: "The body is not JSON" }).first().innerText()).toBe(
      message,
    );
    expect(await sendAndHear(panel)).toMatch(/^400 Bad Request .+ response is valid\.$/);
  });

  test("the next page is a button away, and a call can be sent again", async () => {
    for (const name of ["a", "b", "c"]) await store.create({ name, categoryId: 1 });
    const { panel } = await openOperation("listPets");
    await panel.getByLabel("bearerAuth").fill(store.key);
    await panel.getByLabel("limit", { exact: true }).fill("1");
    await sendAndHear(panel);
    const first = await readTab(panel, "Body");
    await panel.getByRole("button", { name: "Get the next page" }).click();
    await panel.getByText("Calls since the page was loaded").click();
    await panel.getByText("GET /pets (next page)").waitFor();
    expect(await readTab(panel, "Body")).not.toBe(first);
    await panel.getByRole("button", { name: "Send again: GET /pets", exact: true }).click();
    await panel.locator("ol > li").nth(2).waitFor({ state: "attached" });
    expect(await readTab(panel, "Body")).toBe(first);
  });

  test("a response that violates the contract is shown with the place of each violation", async () => {
    const app = express();
    app.use("/docs", await createSiteRouter(PET_STORE, { service: "/v1" }));
    app.get("/v1/pets", (_, response) => {
      response.json([
        { id: "one", name: "Ada", categoryId: 1 },
        { id: 2, name: 3, categoryId: 1 },
      ]);
    });
    app.get("/v1/pets/:id", (_, response) => {
      response.status(418).type("text/plain").send("teapot");
    });
    const origin = await serve(app);
    const { page, panel } = await openOperation("listPets", { docs: `${origin}/docs/` });
    expect(await sendAndHear(panel)).toMatch(/The response violates the contract\.$/);
    const verdict = panel.getByRole("region", { name: "The contract's verdict on the response" });
    const violations = (await verdict.getByRole("listitem").allInnerTexts()).join("\n");
    expect(violations).toContain('"/0/id" is "one"; the contract says type');
    expect(violations).toContain('"/1/name" is 3; the contract says type');
    expect(await panel.locator("mark").allInnerTexts()).toEqual([
      expect.stringContaining('"id": "one"'),
      expect.stringContaining('"name": 3'),
    ]);
    const other = await tryOperation(page, "getPet");
    await sendAndHear(other);
    expect(
      await other.getByRole("region", { name: "The contract's verdict on the response" }).innerText(),
    ).toContain("Status 418 is not declared");
  });

  test("the key is in the page's memory only, and gone when it is loaded anew", async () => {
    const { page, panel } = await openOperation("createPet");
    await panel.getByLabel("bearerAuth").fill(store.key);
    await sendAndHear(panel);
    const findKey = () =>
      page.evaluate<boolean>(`[
      document.documentElement.outerHTML, document.cookie, location.href, JSON.stringify(history.state),
      ...Object.entries(localStorage).flat(), ...Object.entries(sessionStorage).flat(),
    ].some((text) => text?.includes(${JSON.stringify(store.key)}))`);
    expect(await findKey()).toBe(false);
    expect(await page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
    expect(await page.evaluate("caches.keys().then((all) => all.length)")).toBe(0);
    await page.reload();
    await tryOperation(page, "createPet");
    expect(await panel.getByLabel("bearerAuth").inputValue()).toBe("");
    expect(await findKey()).toBe(false);
  });

  test("the key goes to the address that it was given for, and no redirect takes it along", async () => {
    const heard: string[] = [];
    const other = express();
    other.use((request, response) => {
      heard.push(`${request.method} ${request.path} ${request.headers.authorization ?? ""}`);
      response.set("Access-Control-Allow-Origin", "*").set("Access-Control-Allow-Headers", "*").json([]);
    });
    const elsewhere = await serve(other);
    const app = express();
    app.use("/docs", await createSiteRouter(PET_STORE, { service: "/v1", callable: [elsewhere] }));
    app.use("/v1", (_, response) => {
      response.redirect(307, `${elsewhere}/stolen`);
    });
    const origin = await serve(app);
    const { panel } = await openOperation("listPets", { docs: `${origin}/docs/` });
    await panel.getByLabel("bearerAuth").fill("secret");
    expect(await sendAndHear(panel)).toMatch(/^The service responded with a redirect, which is not followed/);
    expect(heard).toEqual([]);
    await panel.getByLabel("Service").selectOption("Another address");
    await panel.getByLabel("Address", { exact: true }).fill(`${elsewhere}/v1`);
    expect(await panel.getByLabel("bearerAuth").inputValue()).toBe("");
    await sendAndHear(panel);
    expect(heard).toEqual(["GET /v1/pets "]);
    // The form has room for the first paragraph of a variable's description, without Markdown.
    await panel.getByLabel("Service").selectOption("Production ({base_url})");
    const hint = "Base address of the production environment. Its path ends in the version segment /v1.";
    await panel.getByText(hint, { exact: true }).waitFor();
    await panel.getByLabel("Service").selectOption("This service");
    expect(await panel.getByLabel("bearerAuth").inputValue()).toBe("secret");
  });

  test("a missing response is explained", async () => {
    const silent = createServer((_, response) => response.end("no CORS"));
    browser.after(() => close(silent));
    const [there, gone] = [await listen(silent), await listen(createServer().unref())];
    const docs = writeSite(PET_STORE, { callable: [`http://127.0.0.1:${there}`, "http://localhost:*"] });
    const { panel } = await openOperation("listPets", { docs });
    const callAt = async (address: string) => {
      await panel.getByLabel("Service").selectOption("Another address");
      await panel.getByLabel("Address", { exact: true }).fill(address);
      return sendAndHear(panel);
    };
    expect(await callAt(`http://127.0.0.1:${there}`)).toMatch(
      /is there, but .+ \(CORS\).+ has the origin "null"/,
    );
    expect(await callAt("http://localhost:1")).toMatch(/^No response from http:\/\/localhost:1\. /);
    expect(await callAt(`http://127.0.0.1:${gone}`)).toBe("Choose an address that this page may call.");
    expect(await callAt("javascript:alert(1)")).toBe("Choose an address that this page may call.");
  });

  test("a call can be cancelled, 429 shows how long to wait, and an image is shown", async () => {
    const app = express();
    app.use("/docs", await createSiteRouter(PET_STORE, { service: "/v1" }));
    app.get("/v1/pets", () => undefined);
    app.post("/v1/pets", (_, response) => {
      response
        .status(429)
        .set("Retry-After", "7")
        .json({ code: "rate_limited", message: "Wait.", status: 429 });
    });
    app.get("/v1/store/orders", (_, response) => {
      response.type("image/svg+xml").send('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    });
    const { page, panel } = await openOperation("listPets", { docs: `${await serve(app)}/docs/` });
    await panel.getByRole("button", { name: "Send", exact: true }).click();
    await panel.getByRole("button", { name: "Cancel" }).click();
    expect(await hear(panel)).toMatch(/^Cancelled\. /);
    const created = await tryOperation(page, "createPet");
    await sendAndHear(created);
    expect(await created.locator(".notice").allInnerTexts()).toEqual([
      "It can be sent again in 7 s (Retry-After).",
    ]);
    const orders = await tryOperation(page, "listOrders");
    expect(await sendAndHear(orders)).toMatch(/violates the contract\.$/);
    const image = orders.getByRole("img", { name: "The response's body" });
    await image.waitFor();
    expect(
      await page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)"),
    ).toBe(9);
    expect(await image.getAttribute("src")).toMatch(/^data:/);
    // In a tab of its own, the body would have the origin of the docs.
    const href = (await orders.getByRole("link", { name: "Save the body" }).getAttribute("href")) ?? "";
    expect(href).toMatch(/^blob:/);
    await expect(page.goto(href)).rejects.toThrow("Download is starting");
  });

  test("works from a folder on disk, where the service allows it", async () => {
    const foreign = await serveMock(await loadRouted("openapi/v1.yaml"), { cors: true });
    browser.after(() => foreign.stop());
    const docs = writeSite(PET_STORE, { service: foreign.url });
    const { panel, requests, complaints } = await openOperation("createPet", { docs });
    await panel.getByLabel("bearerAuth").fill("any");
    expect(await sendAndHear(panel)).toMatch(/^201 Created .+ response is valid\.$/);
    expect(complaints).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith("file:") && !url.startsWith(new URL(foreign.url).origin)),
    ).toEqual([]);
  });

  test("a folder on disk has no service beside it: the first server of the contract is called", async () => {
    const { panel } = await openOperation("createPet", { docs: writeSite(PET_STORE, { service: "../v1" }) });
    const options = await panel.getByLabel("Service", { exact: true }).locator("option").allInnerTexts();
    expect(options).not.toContain("This service");
    expect(await panel.getByLabel("Service", { exact: true }).inputValue()).toBe("0");
    expect(await panel.getByText("Calls go to https://petstore.example/v1", { exact: true }).count()).toBe(1);
  });

  test("forms, files, headers and every kind of credential go out as the contract says", async () => {
    const app = express();
    app.use("/docs", await createSiteRouter(FORMS, { service: "/" }));
    app.use(express.raw({ type: () => true }), (request, response) => {
      const { authorization, "x-key": key } = request.headers;
      const body = Buffer.isBuffer(request.body) ? request.body.toString("latin1") : "";
      response.json({ url: request.originalUrl, authorization, key, body });
    });
    const { panel } = await openOperation("upload", { docs: `${await serve(app)}/docs/` });
    const read = async () => {
      expect(await sendAndHear(panel)).toMatch(/^200 OK/);
      return JSON.parse(await readTab(panel, "Body")) as Record<string, string>;
    };
    const user = panel.getByLabel("login: user name");
    await user.fill("ada");
    await panel.getByLabel("login: password").fill("lovelace");
    const above = await user.boundingBox();
    const label = await panel.getByText("login: password").boundingBox();
    expect((label?.y ?? 0) - (above ? above.y + above.height : 0)).toBeGreaterThan(5);
    await panel.getByLabel("tags", { exact: true }).fill('["a b", "c"]');
    await panel.getByLabel("photo", { exact: true }).setInputFiles({
      name: "ada.png",
      mimeType: "image/png",
      buffer: Buffer.from("pixels"),
    });
    await panel.getByLabel("note", { exact: true }).fill("Grüße");
    const sent = await read();
    expect(sent).toMatchObject({ url: "/upload?tags=a%20b&tags=c", authorization: "Basic YWRhOmxvdmVsYWNl" });
    expect(sent["body"]).toMatch(
      /name="photo"; filename="ada.png"\r\nContent-Type: image\/png\r\n\r\npixels/,
    );
    expect(await readTab(panel, "curl")).toContain(`-F 'photo=@"ada.png";type=image/png'`);

    await panel.getByLabel("Alternative").selectOption("header and query");
    await panel.getByLabel("header", { exact: true }).fill("one");
    await panel.getByLabel("query", { exact: true }).fill("two");
    await panel.getByLabel("Media type").selectOption("application/x-www-form-urlencoded");
    await panel.getByLabel("size", { exact: true }).selectOption("2");
    expect(await read()).toMatchObject({
      url: "/upload?tags=a%20b&tags=c&q=two",
      key: "one",
      body: "size=2",
    });
  });

  test("is usable by keyboard alone", async () => {
    const { page, panel } = await openOperation("createPet");
    const seen: string[] = [];
    const label =
      "document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent";
    for (let stop = ""; stop !== "Content" && seen.length < 40; seen.push(stop)) {
      await page.keyboard.press("Tab");
      stop = await page.evaluate<string>(label);
      if (stop === "bearerAuth") await page.keyboard.type(store.key);
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
    }
    expect(seen).toEqual([
      "Send",
      "Close",
      "Service",
      "bearerAuth",
      "Send Idempotency-Key",
      "Idempotency-Key",
      "Example",
      "Content",
    ]);
    await page.keyboard.press("Control+Enter");
    expect(await hear(panel)).toMatch(/^201 Created/);
  });

  test.each(["light", "dark"] as const)("axe finds no barrier in the %s theme", async (colorScheme) => {
    const { page, panel } = await openOperation("createPet");
    await page.emulateMedia({ colorScheme });
    await panel.getByLabel("bearerAuth").fill(store.key);
    await panel.getByLabel("Content").fill("{}");
    await sendAndHear(panel);
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true;`);
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await panel.getByRole("tab", { name: "Request" }).click();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("a hostile contract runs nothing, and sends nothing but to the address that is shown", async () => {
    let reached = 0;
    const elsewhere = await serve(
      express().use((_, response) => {
        reached += 1;
        response.end();
      }),
    );
    const hostile = `</script><script>globalThis.broken = 1</script><img src="${elsewhere}/a.png" onerror="globalThis.broken = 2">`;
    const { page, complaints } = await open(
      `${await serve(await createHostileApp(hostile, elsewhere))}/docs/`,
    );
    expect(await page.title()).toContain("<script>");
    await page.getByRole("button", { name: "Try it" }).click();
    const panel = page.getByRole("region", { name: /^Try it: / });
    await panel.waitFor();
    const servers = await panel.getByLabel("Service").locator("option").allInnerTexts();
    for (const server of servers) {
      await panel.getByLabel("Service").selectOption(server);
      await panel.getByRole("button", { name: "Send", exact: true }).click();
    }
    await panel.locator(".outcome:not(:empty)").waitFor({ state: "attached" });
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
    expect(reached).toBe(0);
    expect(complaints.filter((complaint) => !complaint.startsWith("error: Failed to load resource"))).toEqual(
      [],
    );
  });
});
