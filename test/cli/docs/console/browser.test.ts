// @thorough: calls a service from the docs in a browser.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express, { type Express } from "express";
import type { Browser } from "playwright-core";
import { createDocsSite } from "../../../../src/cli/docs/index.js";
import { close, listen } from "../../../support/http.js";
import { startPetStore, type OwnPetStore } from "../../../support/petstore.js";
import { findChromium, launch, openPage, type WatchedPage } from "../chromium.js";
import { loadRouted, serve as serveMock } from "../../mock/serve.js";
import { createSiteRouter, PET_STORE } from "../serve.js";
import { createHostileApp, FORMS, hear, sendAndHear } from "./calling.js";

const WIDTHS = [390, 768, 1280];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The browser itself reports every 4xx on its console. */
const REPORTED_STATUS = /^error: Failed to load resource: the server responded with a status of 4\d\d/;

const executablePath = findChromium();

(executablePath === undefined ? describe.skip : describe)("console in Chromium", () => {
  let browser: Browser;
  let store: OwnPetStore;
  const cleanups: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    [browser, store] = await Promise.all([launch(executablePath ?? ""), startPetStore()]);
  });

  afterAll(async () => {
    await browser.close();
    await store.stop();
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function open(url: string, width = 1280): Promise<WatchedPage> {
    const watched = await openPage(browser, width);
    cleanups.push(() => watched.page.close());
    await watched.page.goto(url);
    await watched.page.locator("h1").waitFor();
    return watched;
  }

  const openOperation = (id: string, width?: number) =>
    open(`${store.url}/docs/try.html#operation/${id}`, width);

  /** Serves an app, whose docs are below /docs. */
  async function serve(app: Express): Promise<string> {
    const server = createServer(app);
    cleanups.push(() => close(server));
    return `http://127.0.0.1:${await listen(server)}`;
  }

  /** A folder with the site. */
  function writeSite(...[contract, options]: Parameters<typeof createDocsSite>): string {
    const folder = mkdtempSync(join(tmpdir(), "tenon-console-"));
    cleanups.push(() => rm(folder, { recursive: true }));
    for (const { name, text } of createDocsSite(contract, options)) writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, "try.html")).href;
  }

  test.each(WIDTHS)("at %d pixels an animal is added and read back", async (width) => {
    const { page, requests, complaints } = await openOperation("createPet", width);
    await page.getByLabel("bearerAuth").fill(store.key);
    await page.getByLabel("Content").fill('{ "name": "Ada", "categoryId": 9007199254740991 }');
    expect(await sendAndHear(page)).toMatch(/^201 Created after .+ ms\. The response is valid\.$/);
    const { id } = JSON.parse(await page.getByLabel("Body", { exact: true }).innerText()) as { id: number };

    if (width < 960) await page.locator(".menu > summary").click();
    await page.getByRole("link", { name: "Get an animal" }).click();
    await page.getByRole("heading", { level: 1, name: "Get an animal" }).waitFor();
    await page.getByLabel("petId", { exact: true }).fill(String(id));
    expect(await sendAndHear(page)).toMatch(/^200 OK after .+ The response is valid\.$/);
    expect(JSON.parse(await page.getByLabel("Body", { exact: true }).innerText())).toEqual({
      id,
      name: "Ada",
      categoryId: 9007199254740991,
    });
    await page.getByText(/^Headers/).click();
    await page.getByText("Request as it was sent").click();
    expect(await page.getByLabel("Request", { exact: true }).innerText()).toContain(
      "Bearer $TENON_AUTH_BEARER_AUTH",
    );
    expect(await page.getByLabel("curl", { exact: true }).innerText()).toBe(
      `curl -i -H "Authorization: Bearer $TENON_AUTH_BEARER_AUTH" '${store.url}/v1/pets/${id}'`,
    );
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(complaints).toEqual([]);
    expect([...new Set(requests.map((url) => new URL(url).origin))]).toEqual([store.url]);
  });

  test("a call without a key says which one is required, and moves the focus there", async () => {
    const { page, complaints } = await openOperation("listPets");
    expect(await sendAndHear(page)).toMatch(/^401 Unauthorized/);
    expect(await page.locator(".notice").allInnerTexts()).toContain(
      "The service requires a key: fill in bearerAuth.",
    );
    expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("bearerAuth");
    await page.keyboard.type("pst_wrong");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The service did not accept the key: check bearerAuth.").first().waitFor();
    expect(complaints.filter((complaint) => !REPORTED_STATUS.test(complaint))).toEqual([]);
  });

  test("violations are shown before a request is sent, and it can be sent anyway", async () => {
    const { page } = await openOperation("listPets");
    const verdict = page.getByRole("region", { name: "The contract's verdict on the request" });
    expect(await verdict.innerText()).toBe("The request is valid.");
    await page.getByLabel("bearerAuth").fill(store.key);
    await page.getByLabel("limit", { exact: true }).fill("101");
    const mistake = '"/query/limit" is 101; the contract says maximum 100';
    expect(await verdict.getByRole("listitem").allInnerTexts()).toEqual([mistake]);
    expect(await page.getByLabel("limit", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await sendAndHear(page)).toMatch(/^400 Bad Request .+ response is valid\.$/);
  });

  test("the place of a mistake in JSON is shown, and it is sent as it stands", async () => {
    const { page } = await openOperation("createPet");
    await page.getByLabel("bearerAuth").fill(store.key);
    await page.getByLabel("Content").fill('{\n  "name": "Ada",\n}');
    const message =
      'The body is not JSON. Line 3, column 1: A name in double quotes was expected, and not "}"';
    expect(await page.locator(".mistake", { hasText: "The body is not JSON" }).first().innerText()).toBe(
      message,
    );
    expect(await sendAndHear(page)).toMatch(/^400 Bad Request .+ response is valid\.$/);
  });

  test("the next page is a button away, and a call can be sent again", async () => {
    for (const name of ["a", "b", "c"]) await store.create({ name, categoryId: 1 });
    const { page } = await openOperation("listPets");
    await page.getByLabel("bearerAuth").fill(store.key);
    await page.getByLabel("limit", { exact: true }).fill("1");
    await sendAndHear(page);
    const first = await page.getByLabel("Body", { exact: true }).innerText();
    await page.getByRole("button", { name: "Get the next page" }).click();
    await page.getByText("GET /pets (next page)").waitFor();
    expect(await page.getByLabel("Body", { exact: true }).innerText()).not.toBe(first);
    await page.getByRole("button", { name: "Send again: GET /pets", exact: true }).click();
    await page.locator("ol > li").nth(2).waitFor();
    expect(await page.getByLabel("Body", { exact: true }).innerText()).toBe(first);
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
    const { page } = await open(`${origin}/docs/try.html#operation/listPets`);
    expect(await sendAndHear(page)).toMatch(/The response violates the contract\.$/);
    const verdict = page.getByRole("region", { name: "The contract's verdict on the response" });
    const violations = (await verdict.getByRole("listitem").allInnerTexts()).join("\n");
    expect(violations).toContain('"/0/id" is "one"; the contract says type');
    expect(violations).toContain('"/1/name" is 3; the contract says type');
    expect(await page.locator("mark").allInnerTexts()).toEqual([
      expect.stringContaining('"id": "one"'),
      expect.stringContaining('"name": 3'),
    ]);
    await page.getByRole("link", { name: "Get an animal" }).click();
    await page.getByRole("heading", { level: 1, name: "Get an animal" }).waitFor();
    await sendAndHear(page);
    expect(await verdict.innerText()).toContain("Status 418 is not declared");
  });

  test("the key is in the page's memory only, and gone when it is loaded anew", async () => {
    const { page } = await openOperation("createPet");
    await page.getByLabel("bearerAuth").fill(store.key);
    await sendAndHear(page);
    const findKey = () =>
      page.evaluate<boolean>(`[
      document.documentElement.outerHTML, document.cookie, location.href, JSON.stringify(history.state),
      ...Object.entries(localStorage).flat(), ...Object.entries(sessionStorage).flat(),
    ].some((text) => text?.includes(${JSON.stringify(store.key)}))`);
    expect(await findKey()).toBe(false);
    expect(await page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
    expect(await page.evaluate("caches.keys().then((all) => all.length)")).toBe(0);
    await page.reload();
    await page.getByLabel("bearerAuth").waitFor();
    expect(await page.getByLabel("bearerAuth").inputValue()).toBe("");
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
    const { page } = await open(`${origin}/docs/try.html#operation/listPets`);
    await page.getByLabel("bearerAuth").fill("secret");
    expect(await sendAndHear(page)).toMatch(/^The service responded with a redirect, which is not followed/);
    expect(heard).toEqual([]);
    await page.getByLabel("Service").selectOption("Another address");
    await page.getByLabel("Address", { exact: true }).fill(`${elsewhere}/v1`);
    expect(await page.getByLabel("bearerAuth").inputValue()).toBe("");
    await sendAndHear(page);
    expect(heard).toEqual(["GET /v1/pets "]);
    await page.getByLabel("Service").selectOption("This service");
    expect(await page.getByLabel("bearerAuth").inputValue()).toBe("secret");
  });

  test("a missing response is explained", async () => {
    const silent = createServer((_, response) => response.end("no CORS"));
    cleanups.push(() => close(silent));
    const [there, gone] = [await listen(silent), await listen(createServer().unref())];
    const { page } = await open(
      writeSite(PET_STORE, { callable: [`http://127.0.0.1:${there}`, "http://localhost:*"] }),
    );
    const callAt = async (address: string) => {
      await page.getByLabel("Service").selectOption("Another address");
      await page.getByLabel("Address", { exact: true }).fill(address);
      return sendAndHear(page);
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
    const { page } = await open(`${await serve(app)}/docs/try.html#operation/listPets`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await hear(page)).toMatch(/^Cancelled\. /);
    await page.getByRole("link", { name: "Add an animal" }).click();
    await page.getByRole("heading", { level: 1, name: "Add an animal" }).waitFor();
    await sendAndHear(page);
    expect(await page.locator(".notice").allInnerTexts()).toEqual([
      "It can be sent again in 7 s (Retry-After).",
    ]);
    await page.getByRole("link", { name: "List orders" }).click();
    await page.getByRole("heading", { level: 1, name: "List orders" }).waitFor();
    expect(await sendAndHear(page)).toMatch(/violates the contract\.$/);
    const image = page.getByRole("img", { name: "The response's body" });
    await image.waitFor();
    expect(
      await page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)"),
    ).toBe(9);
  });

  test("works from a folder on disk, where the service allows it", async () => {
    const foreign = await serveMock(await loadRouted("openapi/v1.yaml"), { cors: true });
    cleanups.push(() => foreign.stop());
    const { page, requests, complaints } = await open(writeSite(PET_STORE, { service: foreign.url }));
    await page.getByRole("link", { name: "Add an animal" }).click();
    await page.getByRole("heading", { level: 1, name: "Add an animal" }).waitFor();
    await page.getByLabel("bearerAuth").fill("any");
    expect(await sendAndHear(page)).toMatch(/^201 Created .+ response is valid\.$/);
    expect(complaints).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith("file:") && !url.startsWith(new URL(foreign.url).origin)),
    ).toEqual([]);
  });

  test("forms, files, headers and every kind of credential go out as the contract says", async () => {
    const app = express();
    app.use("/docs", await createSiteRouter(FORMS, { service: "/" }));
    app.use(express.raw({ type: () => true }), (request, response) => {
      const { authorization, "x-key": key } = request.headers;
      const body = Buffer.isBuffer(request.body) ? request.body.toString("latin1") : "";
      response.json({ url: request.originalUrl, authorization, key, body });
    });
    const { page } = await open(`${await serve(app)}/docs/try.html#operation/upload`);
    const read = async () => {
      expect(await sendAndHear(page)).toMatch(/^200 OK/);
      return JSON.parse(await page.getByLabel("Body", { exact: true }).innerText()) as Record<string, string>;
    };
    await page.getByLabel("login: user name").fill("ada");
    await page.getByLabel("login: password").fill("lovelace");
    await page.getByLabel("tags", { exact: true }).fill('["a b", "c"]');
    await page.getByLabel("photo", { exact: true }).setInputFiles({
      name: "ada.png",
      mimeType: "image/png",
      buffer: Buffer.from("pixels"),
    });
    await page.getByLabel("note", { exact: true }).fill("Grüße");
    const sent = await read();
    expect(sent).toMatchObject({ url: "/upload?tags=a%20b&tags=c", authorization: "Basic YWRhOmxvdmVsYWNl" });
    expect(sent["body"]).toMatch(
      /name="photo"; filename="ada.png"\r\nContent-Type: image\/png\r\n\r\npixels/,
    );
    await page.getByText("Request as it was sent").click();
    expect(await page.getByLabel("curl", { exact: true }).innerText()).toContain(
      `-F 'photo=@"ada.png";type=image/png'`,
    );

    await page.getByLabel("Alternative").selectOption("header and query");
    await page.getByLabel("header", { exact: true }).fill("one");
    await page.getByLabel("query", { exact: true }).fill("two");
    await page.getByLabel("Media type").selectOption("application/x-www-form-urlencoded");
    await page.getByLabel("size", { exact: true }).selectOption("2");
    expect(await read()).toMatchObject({
      url: "/upload?tags=a%20b&tags=c&q=two",
      key: "one",
      body: "size=2",
    });
  });

  test("is usable by keyboard alone", async () => {
    const { page } = await openOperation("createPet");
    const seen: string[] = [];
    await page.evaluate("document.activeElement.blur()");
    const label =
      "(document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()";
    for (let stop = ""; stop !== "Send" && seen.length < 40; seen.push(stop)) {
      await page.keyboard.press("Tab");
      stop = await page.evaluate<string>(label);
      if (stop === "bearerAuth") await page.keyboard.type(store.key);
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
    }
    expect(seen).toEqual(expect.arrayContaining(["Service", "bearerAuth", "Content", "Format", "Send"]));
    await page.keyboard.press("Enter");
    expect(await hear(page)).toMatch(/^201 Created/);
  });

  test.each(["light", "dark"] as const)("axe finds nothing serious in the %s theme", async (colorScheme) => {
    const { page } = await openOperation("createPet");
    await page.emulateMedia({ colorScheme });
    await page.getByLabel("bearerAuth").fill(store.key);
    await page.getByLabel("Content").fill("{}");
    await sendAndHear(page);
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true;`);
    await page.evaluate(AXE);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const serious = await page.evaluate(`axe.run().then(({ violations }) => violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
      expect(serious).toEqual([]);
    }
  });

  test("the theme that was chosen on the reference page holds here too", async () => {
    const { page } = await openOperation("createPet");
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.evaluate(`localStorage.setItem("tenon-theme", "dark")`);
    await page.reload();
    await page.locator("h1").waitFor();
    expect(await ground()).not.toBe("rgb(255, 255, 255)");
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
      `${await serve(await createHostileApp(hostile, elsewhere))}/docs/try.html`,
    );
    expect(await page.title()).toContain("<script>");
    const servers = await page.getByLabel("Service").locator("option").allInnerTexts();
    for (const server of servers) {
      await page.getByLabel("Service").selectOption(server);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    }
    await page.getByRole("link", { name: "Reference", exact: true }).waitFor();
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
    expect(reached).toBe(0);
    expect(complaints.filter((complaint) => !complaint.startsWith("error: Failed to load resource"))).toEqual(
      [],
    );
  });
});
