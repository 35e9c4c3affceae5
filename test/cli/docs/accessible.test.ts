// @thorough: reads every page as assistive technology does.
import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { findBarriers } from "./axe.js";
import { findChromium, launch, openPage } from "./chromium.js";
import { EVERYTHING, LARGE } from "./contracts.js";
import { search, unfoldAll } from "./reading.js";
import { PET_STORE } from "./serve.js";
import { writeSite } from "./site-folder.js";

const executablePath = findChromium();

(executablePath === undefined ? describe.skip : describe)("everybody can use the docs", () => {
  let browser: Browser;
  const sites = {
    pets: writeSite(PET_STORE),
    everything: writeSite(EVERYTHING),
    large: writeSite(LARGE, { versions: [{ name: "1", href: "./", current: true }] }),
  };
  const cleanups: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launch(executablePath ?? "");
  });

  afterAll(async () => {
    await browser.close();
    for (const { folder } of Object.values(sites)) await rm(folder, { recursive: true });
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function open(
    site: keyof typeof sites,
    { hash = "", width = 1280, dark = false } = {},
  ): Promise<Page> {
    const { page } = await openPage(browser, width);
    cleanups.push(() => page.close());
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await page.goto(`${sites[site].toUrl()}${hash}`);
    await page.locator("#docs h1").waitFor();
    return page;
  }

  test.each([
    ["everything", "", 1280, false],
    ["everything", "", 390, true],
    ["pets", "", 1280, true],
    ["pets", "", 390, false],
    ["large", "#operation/getThing", 1280, true],
    ["large", "#operation/getThing", 390, false],
  ] as const)(
    "axe finds no barrier in %s%s at %d pixels, dark: %s, all unfolded",
    async (site, hash, width, dark) => {
      const page = await open(site, { hash, width, dark });
      await unfoldAll(page);
      expect(await page.locator("#docs [aria-expanded=true]").count()).toBeGreaterThan(5);
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.each([true, false])("axe finds no barrier in the menu of a phone, dark: %s", async (dark) => {
    const page = await open("large", { width: 390, dark });
    await page.getByRole("button", { name: "Menu" }).click();
    for (const folded of await page.locator("#menu .row button").all()) await folded.click();
    expect(await findBarriers(page)).toEqual([]);
    await search(page, "number");
    expect(await findBarriers(page)).toEqual([]);
  });

  test("by keyboard, everything that the mouse works on is reached, and shows that it is", async () => {
    const page = await open("everything");
    await unfoldAll(page);
    const unreached = await page.evaluate<readonly string[]>(`(() => {
      const KEYS = "a, button, select, input, summary, label, [role=tablist], [tabindex='0']";
      const isPointed = (element) => getComputedStyle(element).cursor === "pointer";
      return [...document.querySelectorAll("body *")]
        .filter((element) => element.getClientRects().length > 0 && isPointed(element) && !isPointed(element.parentElement))
        .filter((element) => element.closest(KEYS) === null && element.querySelector(KEYS) === null)
        .map(({ outerHTML }) => outerHTML.slice(0, 200));
    })()`);
    expect(unreached).toEqual([]);
    const stops =
      await page.evaluate<number>(`[...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")]
      .filter((element) => !element.disabled && element.tabIndex >= 0 && element.getClientRects().length > 0)
      .filter((element) => getComputedStyle(element).visibility === "visible").length`);
    const unseen: string[] = [];
    let reached = 0;
    for (;;) {
      await page.keyboard.press("Tab");
      const [html, outline = ""] = await page.evaluate<string[]>(`(() => {
        const active = document.activeElement;
        if (active === document.body) return [];
        // An invisible select lies over what shows its value.
        const seen = active.matches(".dropdown-select") ? active.parentElement : active;
        return [active.outerHTML.slice(0, 200), getComputedStyle(seen).outlineStyle];
      })()`);
      if (html === undefined) break;
      reached += 1;
      if (outline === "none") unseen.push(html);
    }
    expect(unseen).toEqual([]);
    expect(reached).toBe(stops);
  });

  test("by keyboard, what is folded unfolds, and says so", async () => {
    const page = await open("everything", { hash: "#operation/getThing" });
    const operation = page.locator('[id="tag/things/operation/getThing"]');
    const authorizations = operation.getByRole("button", { name: "Authorizations" });
    for (const [toggle, content] of [
      [authorizations, operation.getByText("OAuth2: login")],
      [operation.getByRole("button", { name: "404" }), operation.getByText("detail", { exact: true })],
      [operation.getByRole("button", { name: "size", exact: true }), operation.getByText("Any of")],
      [operation.getByRole("button", { name: "get /things" }), operation.getByText("https://example.org/v1")],
    ] as const) {
      for (const [isExpanded, key] of [
        ["true", "Enter"],
        ["false", "Space"],
      ] as const) {
        await toggle.focus();
        await page.keyboard.press(key);
        await content.waitFor({ state: isExpanded === "true" ? "visible" : "hidden" });
        expect(await toggle.getAttribute("aria-expanded")).toBe(isExpanded);
      }
    }
    await operation.getByRole("button", { name: "size", exact: true }).click();
    const alternatives = operation.locator("[aria-pressed]");
    expect(await alternatives.allInnerTexts()).toEqual(["integer", "string", "null"]);
    await alternatives.nth(1).focus();
    await page.keyboard.press("Enter");
    await operation.locator("[aria-pressed=true]", { hasText: "string" }).waitFor();
    expect(await operation.locator("[aria-pressed=true]").count()).toBe(1);
  });

  test("the first stop skips the menu and keeps the address", async () => {
    const page = await open("large");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("To the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("docs");
    expect(page.url()).toBe(sites.large.toUrl());
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });

  test("places have roles and names", async () => {
    const page = await open("large", { width: 390 });
    expect(await page.getByRole("main").count()).toBe(1);
    expect(await page.getByRole("banner").count()).toBe(1);
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("navigation", { name: "Contents" });
    expect(await menu.getByRole("search").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Search");
    // What the menu covers is out of reach.
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(true);
  });
});
