import type { Browser, Page } from "playwright-core";

/** What a reader waits for, each in milliseconds, and how much there is afterwards. */
export interface Reading {
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
  /** Of the site's page. */
  readonly url: string;
  /** By their operationIds. */
  readonly deep: string;
  readonly next: string;
}

/** Opens a docs site as somebody who was never there, twice. */
export async function measureReading(browser: Browser, options: ReadingOptions): Promise<Reading> {
  const { url, deep, next } = options;
  const first = await open(browser, url, async (page) => ({
    time: await page.evaluate<number>(waitUntilSeen("#docs h1")),
    nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
  }));
  const rest = await open(browser, `${url}#operation/${deep}`, async (page) => ({
    deep: await page.evaluate<number>(waitUntilSeen(toHeading(deep))),
    search: await page.evaluate<number>(`(async () => {
      const field = document.querySelector("#menu input");
      const start = performance.now();
      field.value = "list";
      field.dispatchEvent(new Event("input"));
      await ${waitUntilSeen("#menu output")};
      field.value = "";
      field.dispatchEvent(new Event("input"));
      return performance.now() - start;
    })()`),
    next: await page.evaluate<number>(`(async () => {
      const start = performance.now();
      location.hash = ${JSON.stringify(`#operation/${next}`)};
      return (await ${waitUntilSeen(toHeading(next))}) - start;
    })()`),
  }));
  return { first: first.time, nodes: first.nodes, ...rest };
}

async function open<Result>(
  browser: Browser,
  url: string,
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "commit" });
    return await use(page);
  } finally {
    await context.close();
  }
}

function toHeading(operationId: string): string {
  return `[id="operation/${operationId}"] h2`;
}

/** A promise, in the page, of when an element is in sight: milliseconds since the page was asked for. */
function waitUntilSeen(selector: string): string {
  return `new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const top = element?.getBoundingClientRect().top ?? Infinity;
      const isSeen = top < innerHeight && element.checkVisibility({ visibilityProperty: true });
      if (isSeen) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  })`;
}
