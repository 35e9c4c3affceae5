// @thorough: builds and opens the docs of a thousand operations.
import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { findChromium, launch, openPage, type WatchedPage } from "./chromium.js";
import { LARGE } from "./contracts.js";
import { until } from "../../support/until.js";
import { readHeading, search } from "./reading.js";
import { writeSite } from "./site-folder.js";

const executablePath = findChromium();

/** The hardest place to be in is a folder on disk. */
(executablePath === undefined ? describe.skip : describe)("docs of a large contract in Chromium", () => {
  let browser: Browser;
  const { folder, toUrl } = writeSite(LARGE);
  const cleanups: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launch(executablePath ?? "");
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function open(hash = "", width = 1280): Promise<WatchedPage> {
    const watched = await openPage(browser, width);
    cleanups.push(() => watched.page.close());
    await watched.page.goto(`${toUrl()}${hash}`);
    await watched.page.locator("#docs h1").waitFor();
    return watched;
  }

  const shown = (page: Page) => page.locator("#docs h2").allInnerTexts();

  /** Waits until the page is that of something, told by the headings. */
  const waitUntilShown = (page: Page, ...headings: readonly string[]) =>
    until(async () => (await shown(page)).join("\n") === headings.join("\n"));

  test("one operation is rendered at a time, and the title is its", async () => {
    const { page, complaints } = await open();
    await waitUntilShown(page, "A section", "Below it");
    expect(await page.title()).toBe("Large 1");
    await page.getByRole("button", { name: "Very many" }).click();
    await page.getByRole("link", { name: "Number 42" }).click();
    await waitUntilShown(page, "Very many", "Number 42");
    expect(await page.title()).toBe("Number 42 · Large 1");
    expect(page.url()).toMatch(/#operation\/many42$/);
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.locator("#menu [aria-current=location]", { hasText: /GET\s*Number 42/i }).waitFor();
    expect(await page.getByRole("status").last().innerText()).toBe("Number 42");
    expect(complaints).toEqual([]);
  });

  test.each([
    ["#operation/many7", ["Very many", "Number 7"]],
    ["#tag/many/operation/many7", ["Very many", "Number 7"]],
    ["#operation/drop%2Fall%20things", ["drop/all things"]],
    ["#/paths/~1unnamed/put", ["/unnamed"]],
    ["#tag/others", ["others", "Operations"]],
    ["#section/A-section", ["A section", "Below it"]],
    ["#operation/none", ["A section", "Below it"]],
  ])("%s is a deep link", async (hash, headings) => {
    const { page } = await open(hash);
    await waitUntilShown(page, ...headings);
  });

  test("a deep link shows also what is above the operation", async () => {
    const { page } = await open("#operation/getThing");
    await until(() => page.evaluate<boolean>("document.readyState === 'complete'"));
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  test("a webhook is shown, and what an operation of two tags is under the other", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Webhooks" }).click();
    await page.getByRole("link", { name: "Something happened" }).click();
    await waitUntilShown(page, "Something happened Webhook");
    await page.getByRole("button", { name: "others" }).click();
    await page.getByRole("link", { name: "Get a thing" }).last().click();
    await waitUntilShown(page, "others", "Get a thing");
  });

  test("back and forward lead through what was read", async () => {
    const { page } = await open("#operation/many1");
    await waitUntilShown(page, "Very many", "Number 1");
    await page.getByRole("link", { name: "get Number 2", exact: true }).click();
    await waitUntilShown(page, "Very many", "Number 2");
    await page.goBack();
    await waitUntilShown(page, "Very many", "Number 1");
    await page.goForward();
    await waitUntilShown(page, "Very many", "Number 2");
    expect(await page.title()).toBe("Number 2 · Large 1");
  });

  test("a tag's page links to its operations, and to a heading in it", async () => {
    const { page } = await open("#tag/many/How-many");
    await waitUntilShown(page, "Very many", "How many", "Operations");
    const links = page.locator("#docs li").getByRole("link");
    expect(await links.count()).toBe(100);
    await links.first().click();
    await waitUntilShown(page, "Very many", "Number 0");
  });

  test("what an operation refers to is there", async () => {
    const { page } = await open("#operation/getThing");
    await page.getByRole("button", { name: /No such thing/ }).click();
    await page.locator("#docs td", { hasText: /^detail$/ }).waitFor();
    expect(await page.locator("#docs .dropdown-select option").allTextContents()).toEqual(
      expect.arrayContaining(["Cat", "Dog"]),
    );
  });

  test("search finds by name, path and operationId; arrows lead to what is found", async () => {
    const { page } = await open();
    expect(await (await search(page, "/many/99")).allInnerTexts()).toHaveLength(1);
    expect(await (await search(page, "gething")).count()).toBe(0);
    expect(await (await search(page, "GETTHING")).count()).toBe(2);
    expect(await page.locator("#menu output").innerText()).toBe("2 found");
    await search(page, "number 5");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await waitUntilShown(page, "Very many", "Number 15");
  });

  test("of two pages that are asked for in quick succession, the first is not shown any more", async () => {
    const { page } = await open();
    // Tells of neither that it is rendered before it is let go on.
    await page.evaluate(`{
      const { init } = Redoc;
      globalThis.held = [];
      globalThis.Redoc = {
        ...Redoc,
        init: (contract, options, element, callback) => init(contract, options, element, () => held.push(callback)),
      };
    }`);
    for (const [index, id] of ["many1", "many3"].entries()) {
      await page.evaluate(`location.hash = "operation/${id}"`);
      await until(async () => (await page.evaluate<number>("held.length")) === index + 1);
    }
    await page.evaluate("(held[0](), new Promise((resolve) => setTimeout(resolve)))");
    expect(await page.title()).toBe("Large 1");
    expect(await page.locator(".reference:not(.coming) h2").allInnerTexts()).toEqual([
      "A section",
      "Below it",
    ]);
    await page.evaluate("(held[1](), new Promise((resolve) => setTimeout(resolve)))");
    expect(await page.title()).toBe("Number 3 · Large 1");
    expect(await shown(page)).toEqual(["Very many", "Number 3"]);
  });

  test("what was shown before does not change the address any more", async () => {
    const { page } = await open("#operation/getThing");
    await page.evaluate("location.hash = 'operation/addThing'");
    await readHeading(page, "addThing").waitFor();
    await page.evaluate(`(async () => {
      scrollTo(0, 400);
      // Longer than Redoc waits before it acts on scrolling.
      await new Promise((resolve) => setTimeout(resolve, 300));
      scrollTo(0, 0);
      await new Promise((resolve) => setTimeout(resolve, 300));
    })()`);
    expect(page.url()).toMatch(/#operation\/addThing$/);
  });

  test.each([390, 768, 1280])("at %d pixels nothing is wider than the page", async (width) => {
    for (const hash of ["", "#operation/getThing", "#tag/many"]) {
      const { page } = await open(hash, width);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });
});
