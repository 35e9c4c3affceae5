// @thorough: reads every page as assistive technology does.
import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { findBarriers } from "./axe.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { EVERYTHING, LARGE } from "./contracts.js";
import { hasFocus, readAll, search } from "./reading.js";
import { PET_STORE } from "./serve.js";
import { writeSite } from "./site-folder.js";

describeInChromium("everybody can use the docs", (browser) => {
  const sites = {
    pets: writeSite(PET_STORE),
    everything: writeSite(EVERYTHING),
    large: writeSite(LARGE, { versions: [{ name: "1", href: "./", current: true }] }),
  };
  afterAll(async () => {
    for (const { folder } of Object.values(sites)) await rm(folder, { recursive: true });
  });

  async function open(
    site: keyof typeof sites,
    { file = "index.html", width = 1280, dark = false } = {},
  ): Promise<Page> {
    const { page } = await browser.openPage(width);
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await page.goto(sites[site].toUrl(file));
    await page.locator("main").waitFor();
    return page;
  }

  test.each([
    ["everything", "index.html", 1280, false],
    ["everything", "index.html", 390, true],
    ["pets", "index.html", 1280, true],
    ["pets", "index.html", 390, false],
    ["large", "tag.many.html", 1280, true],
    ["large", "operation.many7.html", 390, false],
  ] as const)(
    "axe finds no barrier in %s, %s, at %d pixels, dark: %s, all unfolded",
    async (site, file, width, dark) => {
      const page = await open(site, { file, width, dark });
      await readAll(page);
      expect(await findBarriers(page)).toEqual([]);
      // Also of what the tabs hide.
      await page.evaluate("for (const tab of document.querySelectorAll('[role=tab]')) tab.click()");
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.each([true, false])(
    "axe finds no barrier in the menu and the search of a phone, dark: %s",
    async (dark) => {
      const page = await open("large", { width: 390, dark });
      await page.getByRole("button", { name: "Menu" }).click();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await search(page, "number");
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test("by keyboard, everything that the mouse works on is reached, and shows that it is", async () => {
    const page = await open("everything");
    await readAll(page);
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
    await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
    const unseen: string[] = [];
    let reached = 0;
    for (;;) {
      await page.keyboard.press("Tab");
      const [html, outline = ""] = await page.evaluate<string[]>(`(() => {
        const active = document.activeElement;
        if (active === document.body) return [];
        return [active.outerHTML.slice(0, 200), getComputedStyle(active).outlineStyle];
      })()`);
      if (html === undefined) break;
      reached += 1;
      if (outline === "none") unseen.push(html);
    }
    expect(unseen).toEqual([]);
    expect(reached).toBe(stops);
  });

  test("by keyboard, what is folded unfolds, and tabs are chosen", async () => {
    const page = await open("everything");
    const operation = page.locator('[id="operation/getThing"]');
    const response = operation.locator("details.response", { hasText: "No such thing" });
    const summary = response.locator("summary").first();
    for (const [isOpen, key] of [
      [true, "Enter"],
      [false, "Space"],
    ] as const) {
      await summary.focus();
      await page.keyboard.press(key);
      await response.getByText("detail", { exact: true }).waitFor({ state: isOpen ? "visible" : "hidden" });
    }
    const tabs = operation.getByRole("tablist", { name: "Status" }).getByRole("tab");
    expect(await tabs.allInnerTexts()).toEqual(["200", "404", "default"]);
    await tabs.first().focus();
    for (const [key, name] of [
      ["ArrowRight", "404"],
      ["End", "default"],
      ["ArrowRight", "200"],
      ["ArrowLeft", "default"],
      ["Home", "200"],
    ] as const) {
      await page.keyboard.press(key);
      const chosen = operation.getByRole("tab", { name, exact: true, selected: true });
      expect(await hasFocus(chosen)).toBe(true);
    }
  });

  test("the first stop skips the menu", async () => {
    const page = await open("large");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("To the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });

  test.each(["everything", "large"] as const)("%s has its headings in order", async (site) => {
    const page = await open(site);
    const levels = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].map(({ tagName }) => Number(tagName[1]))",
    );
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1)).toEqual([]);
  });

  test("places have roles and names, and what the menu covers is out of reach", async () => {
    const page = await open("large", { width: 390 });
    expect(await page.getByRole("main").count()).toBe(1);
    expect(await page.getByRole("banner").count()).toBe(1);
    expect(await page.getByRole("search").count()).toBe(1);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await page.getByRole("navigation", { name: "Contents" }).count()).toBe(1);
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(false);
  });
});
