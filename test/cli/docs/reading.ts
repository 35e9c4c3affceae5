import type { Locator, Page } from "playwright-core";
import { until } from "../../support/until.js";

/** Opens everything that is folded, and scrolls through the whole page. */
export async function readAll(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

/** Types into the search, and gives the links that it finds. */
export async function search(page: Page, text: string) {
  await page.getByRole("combobox", { name: "Search" }).fill(text);
  await page.getByRole("listbox", { name: "Results" }).waitFor();
  return page.getByRole("option");
}

/**
 * Waits until a place is where a deep link puts it: below the bar, or in sight at the end of the page. Playwright's own waiting would
 * need `unsafe-eval`.
 */
export async function waitUntilAtTop(page: Page, id: string): Promise<void> {
  const isThere = `(() => {
    const top = document.getElementById(${JSON.stringify(id)})?.getBoundingClientRect().top ?? NaN;
    const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    return Math.abs(top) <= (isEnd ? innerHeight : 120);
  })()`;
  await until(() => page.evaluate<boolean>(isThere));
}

/** Tests whether an element has the focus. */
export async function hasFocus(element: Locator): Promise<boolean> {
  return (await element.page().locator(":focus").and(element).count()) === 1;
}

export const readHeading = (page: Page, operationId: string) =>
  page.locator(`[id="operation/${operationId}/name"]`);
