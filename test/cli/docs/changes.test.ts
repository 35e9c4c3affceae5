// @thorough: reads lists of changes in a browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Changelog } from "../../../src/cli/changelog/changelog.js";
import { createDiffPage } from "../../../src/cli/docs/changes/diff-page.js";
import { toJunit } from "../../../src/cli/diff/report/junit.js";
import type { DiffReport } from "../../../src/cli/diff/diff-contracts.js";
import { createDocsSite } from "../../../src/cli/docs/index.js";
import { close } from "../../support/http.js";
import { createProject } from "../load/project.js";
import { findBarriers } from "./axe.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { createDocsApp, PET_STORE, serve } from "./serve.js";

/** Text that tries to leave whatever it is put into, or to be wider than a phone. */
const HOSTILE = `"'></title></script><script>globalThis.broken = true</script><![CDATA[]]>\u0000\u001b\ud800&amp;<!--${"a".repeat(300)}`;

const PLACE = {
  pointer: "#/paths",
  file: "openapi/v1.yaml",
  line: 7,
  why: "What was valid can be rejected.",
};

const REPORT: DiffReport = {
  base: "main:openapi/v1.yaml",
  revision: "openapi/v1.yaml",
  changes: [
    {
      ...PLACE,
      code: "request-maximum-lowered",
      level: "breaking",
      operation: "GET /pets",
      message: "Lower",
      before: 100,
      after: 50,
    },
    { ...PLACE, code: "operation-removed", level: "breaking", operation: "GET /old", message: HOSTILE },
    {
      ...PLACE,
      code: "response-enum-value-added",
      level: "risky",
      operation: "GET /pets",
      message: "A value",
      after: [HOSTILE],
    },
    ...["GET /a", "GET /b", "GET /c", "GET /d"].map((operation) => {
      return {
        ...PLACE,
        code: "response-header-added",
        level: "safe",
        operation,
        message: "A header",
        line: 9,
      } as const;
    }),
    { ...PLACE, code: "operation-added", level: "safe", message: "Ignored", ignored: "For us." },
  ],
  counts: { breaking: 2, risky: 1, safe: 4 },
  version: { before: "1.0.0", after: "1.1.0", bump: "major", proposed: "2.0.0", enough: false },
  policy: "default",
  notJudged: ["examples"],
  notCompared: [],
};

const CHANGELOG: Changelog = {
  title: "Pets",
  versions: [
    {
      version: "2.0.0",
      revision: "v2.0.0",
      date: "2026-04-01",
      since: "v1.0.0",
      counts: { breaking: 1, risky: 0, safe: 1 },
      changes: [
        {
          section: "removed",
          code: "operation-removed",
          level: "breaking",
          operations: ["GET /old"],
          message: HOSTILE,
          why: "Gone.",
        },
        {
          section: "safe",
          code: "texts-changed",
          level: "safe",
          operations: [],
          message: "Texts differ",
          why: "Nothing.",
        },
      ],
    },
    { version: "1.0.0", revision: "v1.0.0", counts: { breaking: 0, risky: 0, safe: 0 }, changes: [] },
  ],
  unreadable: [{ revision: "v1.1.0", reason: "it is broken" }],
};

describeInChromium("pages of changes in Chromium", (browser) => {
  let folder: string;
  beforeAll(() => {
    folder = createProject({ "diff.html": createDiffPage(REPORT) });
    for (const { name, text } of createDocsSite(PET_STORE, { changelog: CHANGELOG }))
      writeFileSync(join(folder, name), text);
  });

  const toUrl = (name: string) => pathToFileURL(join(folder, name)).href;

  async function open(url: string, width = 1280) {
    const watched = await browser.openPage(width);
    await watched.page.goto(url);
    return watched;
  }

  /** What is told of the changes that are shown. */
  const shown = (page: Page) => page.locator(".change:visible .shade").allInnerTexts();

  describe.each([
    ["diff.html", 1],
    // Besides itself: two style sheets and three scripts.
    ["changelog.html", 6],
  ])("%s", (name, files) => {
    test.each([1280, 390])(
      "at %d pixels fits, asks for nothing else and does not complain",
      async (width) => {
        const { page, requests, complaints } = await open(toUrl(name), width);
        for (const summary of await page.locator("summary").all()) await summary.click();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await page.evaluate("globalThis.broken")).toBeUndefined();
        expect(complaints).toEqual([]);
        // A browser without windows asks for no icon.
        const icon = toUrl("favicon.svg");
        expect(requests.filter((url) => !url.startsWith("data:") && url !== icon)).toHaveLength(files);
      },
    );

    test.each(["light", "dark"] as const)(
      "in %s colours keeps nobody from reading it",
      async (colorScheme) => {
        const { page } = await open(toUrl(name));
        await page.emulateMedia({ colorScheme });
        const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
        expect(ground).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(15, 18, 22)");
        expect(await findBarriers(page)).toEqual([]);
      },
    );

    test("has one heading for itself, and none that skips a level", async () => {
      const { page } = await open(toUrl(name));
      const levels = await page.evaluate<number[]>(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))",
      );
      expect(levels.filter((level) => level === 1)).toEqual([1]);
      expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    });

    test("can be read without its script", async () => {
      const context = await browser.createContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(toUrl(name));
      expect(await page.locator("form").isVisible()).toBe(false);
      expect((await shown(page)).length).toBeGreaterThan(1);
    });
  });

  test("changes are filtered by level, with the keyboard, and their headings with them", async () => {
    const { page } = await open(toUrl("diff.html"));
    expect(await shown(page)).toEqual(["BREAKING", "RISKY", "BREAKING", "SAFE", "IGNORED"]);
    await page.locator("summary").first().click();
    await page.getByRole("checkbox", { name: "Breaking" }).focus();
    await page.keyboard.press("Space");
    expect(await shown(page)).toEqual(["RISKY", "SAFE", "IGNORED"]);
    expect(await page.getByRole("status").innerText()).toBe("Shown: 3 of 5");
    // A section whose every change is hidden goes with its link.
    expect(await page.locator("h2:visible").allInnerTexts()).toEqual([
      "GET /pets",
      "Several operations",
      "The contract",
    ]);
    expect(await page.locator("nav a:visible").allInnerTexts()).toEqual([
      "GET /pets",
      "Several operations",
      "The contract",
    ]);
    await page.keyboard.press("Space");
    expect(await shown(page)).toHaveLength(5);
  });

  test("everything that acts has a name and a visible focus, in the order of the page", async () => {
    const { page } = await open(toUrl("diff.html"));
    await page.evaluate("document.querySelector('nav details').open = true");
    const names: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      const [name = "", outline = ""] = await page.evaluate<string[]>(`(() => {
        const active = document.activeElement;
        if (active === document.body) return [];
        return [(active.labels?.[0] ?? active).innerText.trim(), getComputedStyle(active).outlineStyle];
      })()`);
      if (name === "") break;
      names.push(name);
      expect(outline).not.toBe("none");
    }
    expect(names).toEqual([
      ...["Breaking", "Risky", "Safe", "Ignored"],
      ...["Operations", "GET /pets", "GET /old", "Several operations", "The contract", "4 operations"],
    ]);
  });

  test("a version of which nothing is shown goes, and the first one stays", async () => {
    const { page } = await open(toUrl("changelog.html"));
    expect(await page.locator("h3").allInnerTexts()).toEqual(["Removed", "Also changed"]);
    await page.getByRole("checkbox", { name: "Breaking" }).uncheck();
    await page.getByRole("checkbox", { name: "Safe" }).uncheck();
    expect(await page.locator("h2:visible").allInnerTexts()).toEqual(["1.0.0"]);
  });

  test("the docs lead to the changelog and back, from a folder and from a service", async () => {
    const { server, origin } = await serve(
      await createDocsApp(PET_STORE, "/docs", { changelog: CHANGELOG }),
      "/team",
    );
    browser.after(() => close(server));
    for (const url of [toUrl("index.html"), `${origin}/team/docs/`]) {
      const { page, complaints } = await open(url);
      await page.locator("#content").getByRole("link", { name: "Changelog", exact: true }).click();
      await page.getByRole("heading", { name: "Changelog of Pets" }).waitFor();
      expect(await page.locator("h2").allInnerTexts()).toEqual(["2.0.0 2026-04-01", "1.0.0"]);
      await page.getByRole("navigation").getByRole("link", { name: "2.0.0" }).click();
      expect(page.url()).toMatch(/changelog\.html#guide\/changelog\/version-0$/);
      await page.getByRole("link", { name: "Introduction" }).click();
      await page.getByRole("heading", { name: "List all animals" }).waitFor();
      expect(complaints).toEqual([]);
    }
  });

  test("JUnit of a hostile contract is XML", async () => {
    const { page } = await open(toUrl("diff.html"));
    const xml = toJunit(REPORT, { failOn: "breaking", checkVersion: false });
    const found = await page.evaluate<string[]>(
      `[...new DOMParser().parseFromString(${JSON.stringify(xml)}, "text/xml").querySelectorAll("parsererror, testcase")].map(
        (element) => element.getAttribute("name"),
      )`,
    );
    expect(found).toHaveLength(6);
    expect(found).not.toContain(null);
  });
});
