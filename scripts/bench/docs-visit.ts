import type { Browser } from "playwright-core";
import { findBarriers } from "../../test/cli/docs/axe.js";

/** What one visit to a docs page tells, of somebody who was never there. */
export interface Visit {
  /** Milliseconds until the contract's title is in sight as a heading; undefined: it never was. */
  readonly first: number | undefined;
  /** DOM nodes half a second later. */
  readonly nodes: number;
  /** What was sent by the server, in bytes before any compression. */
  readonly bytes: number;
  /** Other hosts that were asked for something. */
  readonly hosts: readonly string[];
  /** Elements that axe finds in the way of people, serious or critical. */
  readonly barriers: number;
  /** How often the page did what its policy forbids. */
  readonly violations: number;
}

export interface VisitOptions {
  readonly url: string;
  /** Of the contract, as a heading has it. */
  readonly title: string;
  /** Milliseconds that the title may take. */
  readonly patience: number;
}

export async function visit(browser: Browser, { url, title, patience }: VisitOptions): Promise<Visit> {
  const { origin } = new URL(url);
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  try {
    const page = await context.newPage();
    const hosts = new Set<string>();
    const sizes: Promise<number>[] = [];
    let violations = 0;
    page.on("request", (request) => {
      const asked = new URL(request.url());
      if (/^https?:$/.test(asked.protocol) && asked.origin !== origin) hosts.add(asked.host);
    });
    page.on("response", (response) =>
      sizes.push(
        response.body().then(
          (body) => body.length,
          () => 0,
        ),
      ),
    );
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) violations += 1;
    });
    await page.goto(url, { waitUntil: "commit" });
    const first = await page.evaluate<number | null>(waitUntilTold(title, patience));
    await page.waitForTimeout(500);
    const nodes = await page.evaluate<number>("document.querySelectorAll('*').length");
    const barriers = await findBarriers(page, ["serious", "critical"]);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return {
      first: first ?? undefined,
      nodes,
      bytes,
      hosts: [...hosts].sort(),
      barriers: barriers.length,
      violations,
    };
  } finally {
    await context.close();
  }
}

/** A promise, in the page, of when a heading with a text is in sight, in milliseconds since the page was asked for; null: it never was. */
function waitUntilTold(text: string, patience: number): string {
  return `new Promise((resolve) => {
    const look = () => {
      const isSeen = [...document.querySelectorAll("h1, h2")].some((heading) =>
        heading.textContent.includes(${JSON.stringify(text)}) && heading.checkVisibility() &&
        heading.getBoundingClientRect().top < innerHeight);
      if (isSeen || performance.now() > ${patience}) resolve(isSeen ? performance.now() : null);
      else requestAnimationFrame(look);
    };
    look();
  })`;
}
