// @thorough: reads the docs in a browser.
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";
import { createGrown, HOSTILE_CONTRACT } from "./contracts.js";
import type { WatchedPage } from "../../support/chromium.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { hasFocus, readAll, readHeading, search, waitUntilAtTop } from "./reading.js";
import { createDocsApp, PET_STORE, serve, type Served } from "./serve.js";
import { writeSite } from "./site-folder.js";

const LONG = "LongerThanAnyLineOfAnyPhone".repeat(9);
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"/>';

const DESKTOP = 1280;
const PHONE = 390;

const OPERATIONS = Object.values(PET_STORE.paths).flatMap((pathItem) => Object.values(pathItem));

describeInChromium("docs in Chromium", (browser) => {
  let served: Served;
  let docs: string;
  beforeAll(async () => {
    // The hardest place to be in: behind a proxy that strips a prefix.
    served = await serve(await createDocsApp(PET_STORE, "/docs"), "/team");
    docs = `${served.origin}/team/docs`;
  });

  afterAll(async () => {
    await close(served.server);
  });

  async function open(url: string, width = DESKTOP): Promise<WatchedPage> {
    const watched = await browser.openPage(width);
    await watched.page.goto(url);
    await watched.page.locator("h1").first().waitFor();
    return watched;
  }

  test.each([DESKTOP, PHONE])(
    "at %d pixels nothing is asked of another host, and no complaint",
    async (width) => {
      const { page, requests, complaints } = await open(docs, width);
      expect(page.url()).toBe(`${docs}/`);
      await readAll(page);
      await search(page, "createPet");
      expect(complaints).toEqual([]);
      expect([...new Set(requests.map((url) => new URL(url).origin))]).toEqual([served.origin]);
    },
  );

  test.each([DESKTOP, PHONE])("at %d pixels nothing is wider than the page", async (width) => {
    const { page } = await open(docs, width);
    await readAll(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

  test("long words and paths are broken, and a wide logo leaves room for the title", async () => {
    const logo = `data:image/svg+xml,${encodeURIComponent(LOGO)}`;
    const info = { title: "Pets", version: `1.0.0-${LONG}`, description: LONG, "x-logo": { url: logo } };
    const path = "/veterinaries/{veterinary_id}/patients/{patient_id}";
    const get = { operationId: "get", tags: [LONG], description: LONG, responses: {} };
    const contract = {
      ...{ openapi: "3.1.0", info, paths: { [path]: { get } } },
      ...{ tags: [{ name: LONG, description: LONG }], security: [{ [LONG]: [] }] },
      components: { securitySchemes: { [LONG]: { type: "apiKey", in: "header", name: LONG } } },
    };
    const versions = [{ name: "v10", href: "index.html", current: true }];
    const { folder, toUrl } = writeSite(contract, { versions });
    browser.after(() => rm(folder, { recursive: true }));
    const { page } = await open(toUrl(), PHONE);
    await readAll(page);
    const edges = await page.evaluate<number[]>(
      `[".brand img", ".brand span", ".search"].flatMap((one) => {
        const { left, right } = document.querySelector(one).getBoundingClientRect();
        return [left, right];
      })`,
    );
    expect(edges).toEqual([...edges].sort((a, b) => a - b));
    const isWhole = "(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)";
    expect(await page.evaluate(`${isWhole}(document.querySelector(".brand span"))`)).toBe(true);
    const lines = await page.evaluate<number[]>(
      `[...document.querySelectorAll(".address .variable")].map((one) => one.getClientRects().length)`,
    );
    expect(lines).toEqual([1, 1]);
    for (const width of [PHONE, DESKTOP]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  test("a long menu has its groups folded, except the one that is read", async () => {
    const { folder, toUrl } = writeSite(createGrown({ tags: 6, operations: 8 }));
    browser.after(() => rm(folder, { recursive: true }));
    const { page } = await open(`${toUrl()}#operation/get2x3`);
    const menu = page.locator("#menu");
    await menu.getByRole("link", { name: "Get 2x4" }).waitFor();
    expect(await menu.getByRole("link", { name: "Get 4x4" }).isVisible()).toBe(false);
    const group = menu.getByRole("button", { name: "Cats & Dogs 4" });
    await group.press("Enter");
    await menu.getByRole("link", { name: "Get 4x4" }).waitFor();
    expect(await group.getAttribute("aria-expanded")).toBe("true");
    await menu.getByRole("link", { name: "Get 4x4" }).click();
    await menu.getByRole("link", { name: "Get 2x4" }).waitFor({ state: "hidden" });
  });

  test.each([800, 1300])(
    "in a window of %d pixels, a part at the end of a page keeps its address and its mark",
    async (height) => {
      const { page } = await open(docs);
      await page.setViewportSize({ width: DESKTOP, height });
      const menu = page.locator("#menu");
      for (const name of ["Pet", "Error"]) {
        await menu.getByRole("link", { name, exact: true }).click();
        await menu.locator("[aria-current=location]", { hasText: new RegExp(`^${name}$`) }).waitFor();
        // The address follows the mark a little later.
        await page.evaluate("new Promise((resolve) => setTimeout(resolve, 400))");
        expect(page.url()).toBe(`${docs}/#schema/${name}`);
      }
      await page.mouse.move(DESKTOP / 2, height / 2);
      await page.mouse.wheel(0, -height);
      await menu.locator("[aria-current=location]", { hasText: /^Error$/ }).waitFor({ state: "detached" });
    },
  );

  test("the page has a title, a language and every operation's heading", async () => {
    const { page } = await open(docs);
    expect(await page.title()).toBe(`${PET_STORE.info.title} ${PET_STORE.info.version}`);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect(OPERATIONS).not.toHaveLength(0);
    for (const { operationId, summary, deprecated = false } of OPERATIONS) {
      const text = (await readHeading(page, operationId).innerText()).replaceAll(/\s+/g, " ");
      expect(text).toMatch(summary);
      expect(text.includes("deprecated")).toBe(deprecated);
    }
  });

  test("a deprecated operation says since when, until when, and links to what replaces it", async () => {
    const { page } = await open(`${docs}/#operation/getPet`);
    await waitUntilAtTop(page, "operation/getPet");
    const callout = page.locator('[id="operation/getPet"] .callout');
    expect(await callout.innerText()).toBe(
      "Deprecated since 2026-11-21; will be removed on 2030-12-05. Use listPets instead.",
    );
    await callout.getByRole("link", { name: "listPets" }).click();
    await waitUntilAtTop(page, "operation/listPets");
    await page.goBack();
    await waitUntilAtTop(page, "operation/getPet");
  });

  test("from its sunset on, the page says that an operation is gone", async () => {
    const { page } = await browser.openPage(DESKTOP);
    await page.addInitScript({ content: "Date.now = () => Date.UTC(2030, 11, 5)" });
    await page.goto(docs);
    expect(await readHeading(page, "getPet").innerText()).toMatch(/gone/);
    expect(await page.locator('[id="operation/getPet"] .callout').innerText()).toMatch(
      /^Gone\. Deprecated since 2026-11-21; was removed on 2030-12-05\./,
    );
  });

  test("a server's address is shown as callers need it", async () => {
    const { page } = await open(docs);
    expect(await page.locator('[id="section/Servers"] [data-address]').allInnerTexts()).toEqual([
      "https://petstore.example/v1",
      "https://staging.petstore.example/v1",
    ]);
  });

  test.each([
    ["its title", "add an animal", "operation/createPet"],
    ["its operationId", "createPet", "operation/createPet"],
    ["its path", "/store/orders", "operation/listOrders"],
    ["a property", "categoryId", "operation/createPet"],
    ["a word of its text", "successor-version", "operation/getPet"],
    ["a heading", "errors", "section/Errors"],
  ])("search finds a part by %s, and leads to it by keyboard", async (_, text, id) => {
    const { page } = await open(docs);
    const results = await search(page, text);
    const hrefs = await Promise.all((await results.all()).map((link) => link.getAttribute("href")));
    const index = hrefs.indexOf(`#${id}`);
    expect(hrefs).toContain(`#${id}`);
    for (let count = 0; count < index; count += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await waitUntilAtTop(page, id);
    expect(page.url()).toBe(`${docs}/#${id}`);
  });

  test("search ranks what is named as asked before what only has the words", async () => {
    const toOperation = (operationId: string, summary: string, description = "") => ({
      post: { operationId, summary, description, responses: { 204: { description: "Done" } } },
    });
    const issue = { type: "object", description: "What users create." };
    const contract = {
      openapi: "3.1.0",
      info: { title: "Issues", version: "1" },
      paths: {
        "/labels": toOperation("labels/create", "Create a label", "For issues, create one by issues/create."),
        "/issues": toOperation("issues/create", "Create an issue"),
        "/issues/{id}": toOperation("issues/update", "Update an issue"),
      },
      components: { schemas: { issue, "issue-event": issue } },
    };
    const { folder, toUrl } = writeSite(contract);
    browser.after(() => rm(folder, { recursive: true }));
    const { page } = await open(toUrl());
    for (const [query, first] of [
      ["create issue", "#operation/issues/create"],
      ["issues/create", "#operation/issues/create"],
      ["issue", "#schema/issue"],
      ["update", "#operation/issues/update"],
    ] as const) {
      const results = await search(page, query);
      await until(async () => (await results.first().getAttribute("href")) === first);
    }
  });

  test("search opens by / and Ctrl+K, says when nothing is found, and closes by Escape", async () => {
    const { page } = await open(docs);
    const field = page.getByRole("combobox", { name: "Search" });
    const isFocused = () => hasFocus(field);
    for (const key of ["/", "Control+k"]) {
      await page.keyboard.press(key);
      expect(await isFocused()).toBe(true);
      expect(await field.inputValue()).toBe("");
      await field.blur();
    }
    await search(page, "nothing like it");
    expect(await page.getByRole("listbox").innerText()).toBe("Nothing found");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("listbox").count()).toBe(0);
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    // On a phone the field covers the menu's button as long as it has the focus.
    expect(await isFocused()).toBe(false);
  });

  test("the menu marks what is read", async () => {
    const { page } = await open(docs);
    const marked = page.locator("#menu [aria-current=location]");
    await page.locator("#menu").getByRole("link", { name: "Errors", exact: true }).click();
    await marked.and(page.getByText("Errors", { exact: true })).waitFor();
    await page.evaluate("document.getElementById('operation/createPet').scrollIntoView()");
    await marked.filter({ hasText: "Add an animal" }).waitFor();
    expect(await marked.count()).toBe(1);
    // The address follows, without an entry in the history.
    const before = await page.evaluate<number>("history.length");
    await until(() => page.url().endsWith("#operation/createPet"));
    await page.evaluate("scrollTo(0, 0)");
    await until(() => !page.url().includes("#"));
    expect(await page.evaluate("history.length")).toBe(before);
  });

  test("a page can be copied as Markdown", async () => {
    const { page } = await open(docs);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy page" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(await (await fetch(`${docs}/index.md`)).text());
  });

  test("the link of a heading leads to it", async () => {
    const { page } = await open(docs);
    await readHeading(page, "createPet").getByRole("link", { name: "Link to this operation" }).focus();
    await page.keyboard.press("Enter");
    await waitUntilAtTop(page, "operation/createPet");
    expect(page.url()).toMatch(/#operation\/createPet$/);
  });

  test.each([
    ["#tag/pets/operation/createPet", "operation/createPet"],
    ["#tag/pets/Some-heading", "tag/pets"],
    ["#operation/listPets/404/none", "operation/listPets"],
    ["#section/Errors", "section/Errors"],
  ])("%s leads to %s", async (hash, id) => {
    const { page } = await open(`${docs}/${hash}`);
    await waitUntilAtTop(page, id);
  });

  test("a link to a folded response unfolds it", async () => {
    const { page } = await open(`${docs}/#operation/listPets/401`);
    await page.locator('[id="operation/listPets/401"][open]').waitFor();
  });

  test("the choice of a language holds for all operations, and code is copied", async () => {
    const { page } = await open(docs);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const listPets = page.locator('[id="operation/listPets"]');
    await listPets.getByRole("tab", { name: "curl", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    const samples = await page.locator('[data-name="Language"]').count();
    expect(samples).toBeGreaterThanOrEqual(OPERATIONS.length);
    const chosen = page.locator("[role=tab][aria-selected=true]", { hasText: /^fetch$/ });
    expect(await chosen.count()).toBe(samples);
    await page.getByRole("tab", { name: "Required fields only" }).click();
    const code = page.locator('[id="operation/createPet"] .request .code:visible');
    await code.hover();
    await code.getByRole("button", { name: "Copy" }).click();
    await code.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await code.locator("code").textContent());
    expect(copied).toMatch(/await fetch[^]+Tom/);
  });

  test("on a phone the menu opens, leads to an operation, and closes", async () => {
    const { page } = await open(docs, PHONE);
    const entry = page.locator("#menu").getByRole("link", { name: "Events" });
    const button = page.getByRole("button", { name: "Menu" });
    expect(await entry.isVisible()).toBe(false);
    await button.click();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await entry.click();
    await entry.waitFor({ state: "hidden" });
    expect(page.url()).toMatch(/#section\/Events$/);
    // The section after it is in sight, too.
    await page.locator("#menu [aria-current=location]", { hasText: "Events" }).waitFor({ state: "attached" });
    await button.click();
    await page.keyboard.press("Escape");
    expect(await entry.isVisible()).toBe(false);
    expect(await hasFocus(button)).toBe(true);
  });

  test.each(["openapi.yaml", "openapi.json"])("%s is a relative link to the contract", async (name) => {
    const { page } = await open(docs);
    expect(await page.getByRole("link", { name, exact: true }).getAttribute("href")).toBe(name);
  });

  test("the site works from a folder on disk", async () => {
    const { folder, toUrl } = writeSite(PET_STORE);
    browser.after(() => rm(folder, { recursive: true }));
    const { page, requests, complaints } = await open(toUrl(), PHONE);
    await readAll(page);
    await search(page, "createPet");
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
  });

  test("a hostile contract runs nothing and reaches no other host", async () => {
    let reached = 0;
    const other = createServer((_, response) => {
      reached += 1;
      response.end();
    });
    browser.after(() => close(other));
    const elsewhere = `http://127.0.0.1:${await listen(other)}`;
    const text = JSON.stringify(HOSTILE_CONTRACT).replaceAll("https://a.example", elsewhere);
    const contract = JSON.parse(text) as typeof HOSTILE_CONTRACT;
    const { server, origin } = await serve(await createDocsApp(contract, "/"));
    browser.after(() => close(server));
    const { page, complaints } = await open(origin);
    await readAll(page);
    for (const link of await page.getByText("link", { exact: true }).all()) await link.click();
    await search(page, "broken");
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
    expect(await page.title()).toContain("</title></script><script>globalThis.broken = true</script>");
    expect(reached).toBe(0);
    expect(complaints).toEqual([]);
  });
});
