// @thorough: builds and opens the docs of a thousand operations.
import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { WatchedPage } from "../../support/chromium.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { createGrown, LARGE } from "./contracts.js";
import { until } from "../../support/until.js";
import { readAll, readHeading, search, waitUntilAtTop } from "./reading.js";
import { writeSite } from "./site-folder.js";

/** The hardest place to be in is a folder on disk. */
describeInChromium("docs of a large contract in Chromium", (browser) => {
  const { folder, toUrl } = writeSite(LARGE);
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function open(hash = "", width = 1280, file = "index.html"): Promise<WatchedPage> {
    const watched = await browser.openPage(width);
    await watched.page.goto(`${toUrl(file)}${hash}`);
    return watched;
  }

  const title = (page: Page) => page.title();

  test("the index has the introduction, and the menu leads to the others", async () => {
    const { page, complaints } = await open();
    expect(await title(page)).toBe("Large 1");
    await page.locator("#menu").getByRole("link", { name: "Very many" }).click();
    await page.locator("#menu").getByRole("link", { name: "Number 42 GET" }).click();
    await readHeading(page, "many42").waitFor();
    expect(await title(page)).toBe("Number 42 · Large 1");
    expect(page.url()).toMatch(/\/operation\.many42\.html#operation\/many42$/);
    await page.locator("#menu [aria-current=location]", { hasText: /Number 42/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    ["#operation/many7", "operation.many7.html#operation/many7"],
    ["#tag/many/operation/many7", "operation.many7.html#operation/many7"],
    ["#operation/many7/200", "operation.many7.html#operation/many7/200"],
    ["#operation/drop%2Fall%20things", "tag.Operations.html#operation/drop/all-things"],
    ["#tag/others", "tag.others.html#tag/others"],
    ["#tag/many/How-many", "tag.many.html#tag/many/How-many"],
    ["#schema/Thing", "schemas.html#schema/Thing"],
    ["#webhook/happened/post", "webhooks.html#webhook/happened/post"],
    ["#section/A-section", "index.html#section/A-section"],
    ["#operation/none", "index.html#operation/none"],
  ])("%s is a deep link", async (hash, href) => {
    const { page } = await open(hash);
    await page.waitForURL(({ href: shown }) => shown === toUrl().replace("index.html", href));
    const id = decodeURIComponent(href.replace(/^[^#]*#/, ""));
    if (id !== "operation/none") await waitUntilAtTop(page, id.startsWith("tag/many") ? "tag/many" : id);
  });

  test("a deep link to the first part of a page shows the top of the page", async () => {
    const { page } = await open("#operation/many7", 1280);
    await page.waitForURL(/operation\.many7\.html#operation\/many7$/);
    await until(() => page.evaluate<boolean>("document.readyState === 'complete' && scrollY === 0"));
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.reload();
    await readHeading(page, "many7").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  test("back and forward lead through what was read", async () => {
    const { page } = await open("", 1280, "operation.many1.html");
    await page.locator("#menu").getByRole("link", { name: "Number 2 GET", exact: true }).click();
    await until(async () => (await title(page)) === "Number 2 · Large 1");
    await page.goBack();
    await until(async () => (await title(page)) === "Number 1 · Large 1");
    await page.goForward();
    await until(async () => (await title(page)) === "Number 2 · Large 1");
  });

  test("the choice of a language holds on other pages", async () => {
    const { page } = await open("", 1280, "operation.many1.html");
    await page.getByRole("tab", { name: "fetch" }).click();
    await page.goto(toUrl("operation.many2.html"));
    await page.getByRole("tab", { name: "fetch", selected: true }).waitFor();
    expect(await page.locator(".request .code:visible").innerText()).toContain("await fetch(");
  });

  test("groups of the menu list what other pages have when they are unfolded", async () => {
    const { page, complaints } = await open("", 1280, "tag.things.html");
    const menu = page.locator("#menu");
    await menu.getByRole("button", { name: "Very many" }).press("Enter");
    const link = menu.getByRole("link", { name: "Number 99 GET" });
    await link.waitFor();
    expect(await menu.getByRole("link", { name: /^Number \d+ GET$/ }).count()).toBe(190);
    expect(await menu.locator(".old").allInnerTexts()).toContainEqual(expect.stringMatching(/^Number 7\s/));
    await link.click();
    await until(async () => (await title(page)) === "Number 99 · Large 1");
    expect(complaints).toEqual([]);
  });

  test("a group that is too long for each page lists the others at a click", async () => {
    const { folder: grown, toUrl: toGrown } = writeSite(createGrown({ tags: 1, operations: 240 }));
    browser.after(() => rm(grown, { recursive: true }));
    const { page } = await browser.openPage(1280);
    await page.goto(toGrown("operation.get0x7.html"));
    const links = page.locator("#menu").getByRole("link", { name: /^Get 0x/ });
    await page.locator("#menu [aria-current=location]").waitFor();
    expect(await links.count()).toBe(1);
    await page.getByRole("button", { name: "Show all 240" }).click();
    await until(async () => (await links.count()) === 240);
    expect(await page.locator("#menu [aria-current=location]").innerText()).toMatch(/^Get 0x7/);
  });

  test("a tag's page links to its operations", async () => {
    const { page } = await open("", 1280, "tag.many.html");
    const links = page.locator("main .contents").getByRole("link");
    expect(await links.count()).toBe(190);
    await links.first().click();
    await readHeading(page, "many0").waitFor();
  });

  test("search finds by name, path and operationId from any page", async () => {
    const { page } = await open("", 1280, "operation.many1.html");
    expect(await (await search(page, "/many/99")).first().innerText()).toContain("Number 99");
    expect(await (await search(page, "GETTHING")).first().innerText()).toContain("Get a thing");
    await search(page, "number 15");
    await page.keyboard.press("Enter");
    await until(async () => (await title(page)) === "Number 15 · Large 1");
    await (await search(page, "A section")).first().click();
    await until(async () => (await title(page)) === "Large 1");
  });

  test.each([390, 768, 1280])("at %d pixels nothing is wider than the page", async (width) => {
    for (const file of ["index.html", "tag.things.html", "tag.many.html", "schemas.html"]) {
      const { page } = await open("", width, file);
      await readAll(page);
      expect([file, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([file, width]);
    }
  });
});
