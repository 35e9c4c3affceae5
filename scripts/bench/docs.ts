import type { Browser, Page } from "playwright-core";

/** What a reader waits for, each in milliseconds, and how much there is afterwards. */
export interface Reading {
  /** From an empty cache to the heading of a page that has nothing else: the browser's own part of the others. */
  readonly empty: number;
  /** From an empty cache to the first heading. */
  readonly first: number;
  /** From an empty cache to the heading of an operation in the middle of the contract. */
  readonly deep: number;
  /** From there to the next operation, by its link. */
  readonly next: number;
  /** From a word in the search to what it finds. */
  readonly search: number;
  /** DOM nodes after the first heading. */
  readonly nodes: number;
}

export interface ReadingOptions {
  /** Address of a page with a heading and nothing else, on the same server. */
  readonly empty: string;
  /** Of the site's page. */
  readonly url: string;
  /** By their operationIds. */
  readonly deep: string;
  readonly next: string;
}

/** Opens a docs site as somebody who was never there, twice. */
export async function measureReading(browser: Browser, options: ReadingOptions): Promise<Reading> {
  const { url, deep, next } = options;
  const toFirst = async (page: Page, start: number) => {
    await page.locator("main h1").waitFor();
    return {
      first: performance.now() - start,
      nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
    };
  };
  const empty = await open(browser, options.empty, toFirst);
  const first = await open(browser, url, toFirst);
  const rest = await open(browser, `${url}#operation/${deep}`, async (page, start) => {
    await toHeading(page, deep).waitFor();
    return {
      deep: performance.now() - start,
      search: await measure(async () => {
        await page.getByRole("combobox", { name: "Search" }).fill("list");
        await page.getByRole("option").first().waitFor();
      }),
      next: await measure(async () => {
        await page.evaluate(`location.hash = ${JSON.stringify(`#operation/${next}`)}`);
        await toHeading(page, next).waitFor();
      }),
    };
  });
  return { empty: empty.first, ...first, ...rest };
}

async function measure(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** @param use Gets when the page was asked for. */
async function open<Result>(
  browser: Browser,
  url: string,
  use: (page: Page, start: number) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  try {
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    return await use(page, start);
  } finally {
    await context.close();
  }
}

function toHeading(page: Page, operationId: string) {
  return page.locator(`[id="operation/${operationId}/name"]`);
}
