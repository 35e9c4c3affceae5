import type { Page } from "playwright-core";
import { until } from "../../support/until.js";

/** Every folded thing of the reference, opened, what is in it too. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const find = () => document.querySelectorAll("#docs [aria-expanded=false]:not(:disabled)");
    for (let rounds = 0; find().length > 0 && rounds < 20; rounds += 1) {
      for (const folded of find()) folded.click();
      // What React renders, then what is mended of it.
      await new Promise((resolve) => setTimeout(resolve));
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

/** Opens everything that is folded, and scrolls through the whole page. */
export async function readAll(page: Page): Promise<void> {
  await unfoldAll(page);
  await page.evaluate(`(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

/** Opens the menu where it is not there already, types into its search, and gives the links that it finds. */
export async function search(page: Page, text: string) {
  const field = page.getByRole("searchbox", { name: "Search" });
  if (!(await field.isVisible())) await page.getByRole("button", { name: "Menu" }).click();
  await field.fill(text);
  return page.locator("#menu output + ul").getByRole("link");
}

/** Waits until an operation is where a deep link puts it. Playwright's own waiting would need `unsafe-eval`. */
export async function waitUntilAtTop(page: Page, operationId: string): Promise<void> {
  const id = JSON.stringify(`operation/${operationId}`);
  const top = `document.getElementById(${id})?.getBoundingClientRect().top ?? NaN`;
  await until(async () => Math.abs(await page.evaluate<number>(top)) <= 50);
}

export const readHeading = (page: Page, operationId: string) =>
  page.locator(`[id="operation/${operationId}"] h2`);
