import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { GIVE_UP_MS } from "./until.js";

/** The shell without windows comes first: it takes about half the time of a whole browser. */
const COMMON_PATHS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds Chromium: CHROMIUM_PATH, else where systems put it.
 * @returns undefined, after one line that says so, when there is none.
 * @throws in CI, where browser tests must not be skipped unseen.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: chosen, CI: ci } = environment;
  const path = [...(chosen === undefined ? COMMON_PATHS : [chosen])].find((candidate) =>
    existsSync(candidate),
  );
  if (path !== undefined) return path;
  const missing =
    "NO CHROMIUM: the docs are not tested in a browser. Install the Debian package chromium-headless-shell, or set CHROMIUM_PATH.";
  if (ci !== undefined && ci !== "" && ci !== "false") throw new Error(missing);
  process.stderr.write(`${missing}\n`);
  return undefined;
}

export async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    timeout: GIVE_UP_MS,
    args: ["--disable-gpu", "--disable-quic", "--disable-component-update", "--disable-sync"],
  });
  // Also of the pages and locators of each context.
  browser.on("context", (context) => {
    context.setDefaultTimeout(GIVE_UP_MS);
  });
  return browser;
}

/** A page, and what it did that a docs page should not. */
export interface WatchedPage {
  readonly page: Page;
  /** Every address that was asked for, blobs and data included. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console, uncaught errors, and violations of the policy. */
  readonly complaints: readonly string[];
}

export async function openPage(browser: Browser, width: number): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  await page.exposeFunction("reportViolation", (violation: string) => complaints.push(violation));
  await page.addInitScript({
    content: `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      reportViolation("violation: " + violatedDirective + " " + blockedURI);
    });`,
  });
  return { page, requests, complaints };
}
