import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { close, listen } from "../../support/http.js";
import { findChromium, launch, openPage, type WatchedPage } from "./chromium.js";
import { readAll, readHeading, search, waitUntilAtTop } from "./reading.js";
import { createDocsApp, PET_STORE, serve, type Served } from "./serve.js";
import { writeSite } from "./site-folder.js";

const DESKTOP = 1280;
const PHONE = 390;

const OPERATIONS = Object.values(PET_STORE.paths).flatMap((pathItem) => Object.values(pathItem));

const executablePath = findChromium();

(executablePath === undefined ? describe.skip : describe)("docs in Chromium", () => {
  let browser: Browser;
  let served: Served;
  let docs: string;
  const cleanups: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launch(executablePath ?? "");
    // The hardest place to be in: behind a proxy that strips a prefix.
    served = await serve(await createDocsApp(PET_STORE, "/docs"), "/team");
    docs = `${served.origin}/team/docs`;
  });

  afterAll(async () => {
    await browser.close();
    await close(served.server);
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function open(url: string, width = DESKTOP): Promise<WatchedPage> {
    const watched = await openPage(browser, width);
    cleanups.push(() => watched.page.close());
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

  test("the page has a title, a language and every operation's heading", async () => {
    const { page } = await open(docs);
    expect(await page.title()).toBe(`${PET_STORE.info.title} ${PET_STORE.info.version}`);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect(OPERATIONS).not.toHaveLength(0);
    for (const { operationId, summary, deprecated = false } of OPERATIONS) {
      const text = await readHeading(page, operationId).innerText();
      expect(text.trim()).toBe(deprecated ? `${summary} Deprecated` : summary);
    }
  });

  test("a deprecated operation says since when, until when, and links to what replaces it", async () => {
    const { page } = await open(`${docs}/#operation/getPet`);
    await waitUntilAtTop(page, "getPet");
    const facts = page.locator("p", { hasText: "operationId getPet" });
    expect(await facts.innerText()).toMatch(/deprecated since 2026-11-21 · removed on 2030-12-05/);
    await facts.getByRole("link", { name: "listPets" }).click();
    await waitUntilAtTop(page, "listPets");
    await page.goBack();
    await waitUntilAtTop(page, "getPet");
  });

  test("a server's address is shown as callers need it", async () => {
    const { page } = await open(docs);
    const addresses = page.locator('[id="operation/listPets"] button:has(.http-verb) + div [role=button]');
    expect(await addresses.allTextContents()).toEqual([
      "https://petstore.example/v1/pets",
      "https://staging.petstore.example/v1/pets",
    ]);
  });

  test("search finds an operation by its operationId, and leads to it", async () => {
    const { page } = await open(docs);
    const results = await search(page, "createPet");
    expect(await results.allInnerTexts()).toEqual([expect.stringContaining("Add an animal")]);
    await results.first().click();
    await waitUntilAtTop(page, "createPet");
  });

  test("the menu marks what is read, and the address says it", async () => {
    const { page } = await open(docs);
    const marked = page.locator("#menu [aria-current=location]");
    await page.locator("#menu").getByRole("link", { name: "Errors", exact: true }).click();
    await page.locator("#menu [aria-current=location]", { hasText: /^Errors$/ }).waitFor();
    await page.evaluate("document.getElementById('operation/createPet').scrollIntoView()");
    await page.waitForURL(/#operation\/createPet$/);
    expect(await marked.innerText()).toMatch(/POST\s+Add an animal/i);
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForURL(/docs\/$/);
    expect(await marked.count()).toBe(0);
  });

  test("the link of a heading leads to it", async () => {
    const { page } = await open(docs);
    await readHeading(page, "createPet").getByRole("link", { name: "Link to this section" }).focus();
    await page.keyboard.press("Enter");
    await waitUntilAtTop(page, "createPet");
    // The menu follows the scrolling a moment later.
    await page.locator("#menu [aria-current=location]", { hasText: /POST\s*Add an animal/i }).waitFor();
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
    await button.click();
    await page.keyboard.press("Escape");
    expect(await entry.isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Menu");
  });

  test.each(["openapi.yaml", "openapi.json"])("%s is a relative link to the contract", async (name) => {
    const { page } = await open(docs);
    expect(await page.getByRole("link", { name }).getAttribute("href")).toBe(name);
  });

  test("the site works from a folder on disk", async () => {
    const { folder, toUrl } = writeSite(PET_STORE);
    cleanups.push(() => rm(folder, { recursive: true }));
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
    cleanups.push(() => close(other));
    const elsewhere = `http://127.0.0.1:${await listen(other)}`;
    const hostile = [
      `<script>globalThis.broken = 1</script></script><script src="${elsewhere}/a.js"></script>`,
      `<img src="${elsewhere}/a.png" onerror="globalThis.broken = 2" style="background: url(${elsewhere}/b.png)">`,
      `![](${elsewhere}/c.png) [link](javascript:globalThis.broken=3)`,
      `<iframe src="${elsewhere}"></iframe><style>@import "${elsewhere}/a.css";</style>`,
    ].join("\n\n");
    const title = `</title><script>globalThis.broken = 4</script>"'`;
    const info = { title, version: "1", description: hostile };
    const { server, origin } = await serve(await createDocsApp({ ...PET_STORE, info }, "/"));
    cleanups.push(() => close(server));
    const { page, complaints } = await open(origin);
    await page
      .getByRole("link", { name: "link" })
      .click({ timeout: 1000 })
      .catch(() => undefined);
    await readAll(page);
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
    expect(await page.title()).toBe(`${title} 1`);
    expect(reached).toBe(0);
    expect(complaints).toContain(`violation: img-src ${elsewhere}/a.png`);
  });
});
