// @thorough: opens every page in light and dark.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { close } from "../../support/http.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { until } from "../../support/until.js";
import { createDocsApp, PET_STORE, serve, type Served } from "./serve.js";
import { writeSite } from "./site-folder.js";

const DARK = "rgb(15, 18, 22)";
const LIGHT = "rgb(255, 255, 255)";

const CHANGELOG = { title: "Pets", versions: [], unreadable: [] };

describeInChromium("docs in the reader's colours", (browser) => {
  let served: Served;
  const versions = [
    { name: "1", href: "index.html", current: true },
    { name: "2", href: "other.html" },
  ];
  const { folder, toUrl } = writeSite(PET_STORE, { versions, changelog: CHANGELOG });
  beforeAll(async () => {
    served = await serve(await createDocsApp(PET_STORE, "/docs", { changelog: CHANGELOG }));
  });

  afterAll(async () => {
    await close(served.server);
    await rm(folder, { recursive: true });
  });

  async function createContext(): Promise<BrowserContext> {
    const context = await browser.createContext({ colorScheme: "light" });
    return context;
  }

  async function open(context: BrowserContext, url: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("h1").waitFor();
    return page;
  }

  const ground = (page: Page) => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const choose = (page: Page, theme: string) => page.getByLabel("Theme").selectOption(theme);

  test("follow the system, also when it changes", async () => {
    const page = await open(await createContext(), toUrl());
    expect(await ground(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground(page)).toBe(DARK);
  });

  test("stay as the reader chose, on every page, until the system shall choose again", async () => {
    const context = await createContext();
    const docs = await open(context, `${served.origin}/docs/`);
    await choose(docs, "dark");
    expect(await ground(docs)).toBe(DARK);
    const changelog = await open(context, `${served.origin}/docs/changelog.html`);
    expect(await ground(changelog)).toBe(DARK);
    expect(await changelog.getByLabel("Theme").inputValue()).toBe("dark");
    await choose(changelog, "system");
    expect(await ground(changelog)).toBe(LIGHT);
    // The other page, which is open still, hears of it.
    await until(async () => (await ground(docs)) === LIGHT);
    expect(await docs.evaluate("localStorage.length")).toBe(0);
  });

  test.each(["localStorage is blocked", "localStorage throws at writing"])(
    "can be chosen when %s",
    async (how) => {
      const context = await createContext();
      await context.addInitScript(
        how.endsWith("blocked")
          ? `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError"); } });`
          : `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };`,
      );
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(toUrl());
      await choose(page, "dark");
      expect(await ground(page)).toBe(DARK);
      await page.getByRole("tab", { name: "fetch" }).first().click();
      expect(await page.getByRole("tab", { name: "fetch", selected: true }).count()).toBeGreaterThan(1);
      expect(errors).toEqual([]);
    },
  );

  test("are those of paper in print: menus are left out, every sample and example is there", async () => {
    const page = await open(await createContext(), toUrl());
    await choose(page, "dark");
    // Paper is as wide as a small screen.
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.emulateMedia({ media: "print" });
    const heights = await page.evaluate<string[]>(
      `[...document.querySelectorAll(".beside pre")].map((pre) => getComputedStyle(pre).maxHeight)`,
    );
    expect(new Set(heights)).toEqual(new Set(["none"]));
    for (const selector of [".bar", "#menu", ".skip", ".copy >> nth=0", ".tab-list >> nth=0"])
      expect(await page.locator(selector).isVisible()).toBe(false);
    expect(await ground(page)).toBe(LIGHT);
    const operation = page.locator('[id="operation/createPet"]');
    const samples = operation.locator(".request pre");
    expect(await samples.count()).toBeGreaterThan(2);
    for (const sample of await samples.all()) expect(await sample.isVisible()).toBe(true);
    // Each has its name, which is that of its tab on the screen.
    const labels = operation.locator(".request .label");
    const languages = ["curl", "fetch", "client", "Python", "Go"];
    const sets = ["With a status", ...languages, "Required fields only", ...languages];
    expect(await labels.allInnerTexts()).toEqual(sets);
    for (const label of [...(await labels.all()), operation.getByText("201", { exact: true }).last()])
      expect(await label.isVisible()).toBe(true);
    const { width, viewport, scroll } = await page.evaluate<Record<string, number>>(
      `({ width: document.querySelector("main").clientWidth, viewport: innerWidth, scroll: document.documentElement.scrollWidth })`,
    );
    expect([width, scroll]).toEqual([viewport, viewport]);
  });

  test("the print has what is folded on the screen", async () => {
    const page = await open(await createContext(), toUrl());
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("main details:not([open])").count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("main details:not([open])").count()).toBeGreaterThan(0);
  });

  test("another version opens at the place that is read", async () => {
    const page = await open(await createContext(), `${toUrl()}#operation/getPet`);
    await page.getByText("Version 1", { exact: true }).click();
    const href = "document.querySelector('.versions li:last-child a').href";
    await until(async () => (await page.evaluate(href)) === `${toUrl("other.html")}#operation/getPet`);
    expect(await page.locator(".versions [aria-current=page]").innerText()).toBe("1");
  });

  test("without JavaScript the page is complete, and its links work", async () => {
    const context = await browser.createContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(toUrl());
    for (const name of ["Menu", "Copy"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    await page.locator("#menu").getByRole("link", { name: "Add an animal" }).click();
    expect(page.url()).toMatch(/#operation\/createPet$/);
    const operation = page.locator('[id="operation/createPet"]');
    // No tabs: samples and examples are below each other.
    for (const [label, count] of Object.entries({
      "With a status": 1,
      curl: 2,
      fetch: 2,
      client: 2,
      201: 1,
    })) {
      const labels = await operation.locator(".panel > .label", { hasText: new RegExp(`^${label}$`) }).all();
      expect(await Promise.all(labels.map((one) => one.isVisible()))).toEqual(Array(count).fill(true));
    }
    await operation.locator("summary", { hasText: "401" }).click();
    expect(await operation.locator("details[open] summary", { hasText: "401" }).count()).toBe(1);
  });
});
