import { afterAll, afterEach, beforeAll, describe } from "@jest/globals";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { findChromium, launch, openPage, type WatchedPage } from "./chromium.js";

/** The browser of a group of tests. Whatever a test has opened is closed after it. */
export interface TestBrowser {
  /** @param width Default: 1280 pixels. */
  readonly openPage: (width?: number) => Promise<WatchedPage>;
  readonly createContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Calls a function after the test, the last one first. */
  readonly after: (cleanup: () => Promise<unknown>) => void;
}

/** Groups tests in Chromium. They are skipped where there is none. */
export function describeInChromium(name: string, define: (browser: TestBrowser) => void): void {
  const executablePath = findChromium();
  (executablePath === undefined ? describe.skip : describe)(name, () => {
    let browser: Browser;
    const cleanups: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      browser = await launch(executablePath ?? "");
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    });
    define({
      async openPage(width = 1280) {
        const watched = await openPage(browser, width);
        cleanups.push(() => watched.page.close());
        return watched;
      },
      async createContext(options) {
        const context = await browser.newContext(options);
        cleanups.push(() => context.close());
        return context;
      },
      after: (cleanup) => void cleanups.push(cleanup),
    });
  });
}
