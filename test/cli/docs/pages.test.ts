// @thorough: builds the docs of large contracts.
import { describe, expect, test } from "@jest/globals";
import { createDocsSite } from "../../../src/cli/docs/index.js";
import { decodeEntities } from "../../support/html-text.js";
import { createGrown, EVERYTHING } from "./contracts.js";
import { renderPages } from "./rendered.js";

const readIds = (page: string) =>
  new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => decodeEntities(id)));

/** Links within a site that lead nowhere, by page. */
function findDeadLinks(pages: Readonly<Record<string, string>>): readonly string[] {
  const ids = new Map(Object.entries(pages).map(([file, page]) => [file, readIds(page)]));
  return Object.entries(pages).flatMap(([file, page]) =>
    [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].flatMap(([, href = ""]) => {
      const [target = "", fragment] = decodeEntities(href).split("#");
      const found = ids.get(target === "" ? file : target);
      const isDead = fragment === undefined ? false : found?.has(decodeURIComponent(fragment)) !== true;
      return /^(?:[\w.-]+\.html)?(?:#|$)/.test(href) && isDead ? [`${file} ${href}`] : [];
    }),
  );
}

describe("pages", () => {
  test("a small contract is one page, and its links lead to it", () => {
    const { "index.html": page = "", ...others } = renderPages(EVERYTHING);
    expect(Object.keys(others)).toEqual([]);
    expect(findDeadLinks({ "index.html": page })).toEqual([]);
    expect(readIds(page).size).toBe([...page.matchAll(/\sid="/g)].length);
  });

  test("a hundred small operations are one page", () => {
    const pages = renderPages(createGrown({ tags: 5, operations: 20 }));
    expect(Object.keys(pages).filter((file) => /^(?:tag|operation)\./.test(file))).toEqual([]);
  });

  describe("of a large contract", () => {
    const own = renderPages(createGrown({ tags: 12, operations: 30 }));

    test("are one for each tag, and hold each operation once", () => {
      expect(Object.keys(own)).toHaveLength(1 + 12 + 1);
      const operations = Object.values(own).flatMap((page) =>
        [...readIds(page)].filter((id) => /^operation\/[^/]+$/.test(id)),
      );
      expect(operations).toHaveLength(12 * 30);
      expect(new Set(operations).size).toBe(operations.length);
    });

    test("have links that lead to other pages, and none that is dead", () => {
      expect(findDeadLinks(own)).toEqual([]);
      expect(own["index.html"]).toContain('href="tag.Cats-.-Dogs-7.html#tag/Cats-&amp;-Dogs-7"');
    });

    test("are small: the menu has the operations of the page's own tag only", () => {
      for (const [file, page] of Object.entries(own)) {
        expect([file, page.length < 700_000]).toEqual([file, true]);
        const menu = /<nav[^]*?<\/nav>/.exec(page)?.[0] ?? "";
        expect(menu.match(/class="method/g)?.length ?? 0).toBe(file.startsWith("tag") ? 30 : 0);
      }
    });

    test("are found by search from each of them", () => {
      const site = createDocsSite(createGrown({ tags: 12, operations: 30 }));
      const { text = "" } = site.find(({ name }) => name === "search.js") ?? {};
      const entries = JSON.parse(text.replace(/^[^[]*/, "").replace(/;\n$/, "")) as readonly string[][];
      const hrefs = entries.map(([, href = ""]) => href);
      expect(hrefs).toContain("tag.Cats-.-Dogs-7.html#operation/get7x3");
      const ids = new Map(Object.entries(own).map(([file, page]) => [file, readIds(page)]));
      const dead = hrefs.filter((href) => {
        const [file = "", fragment = ""] = href.split("#");
        return ids.get(file)?.has(decodeURIComponent(fragment)) !== true;
      });
      expect(dead).toEqual([]);
    });
  });

  test("a tag that is too large for a page has one for each operation, and lists them on its own", () => {
    const pages = renderPages(createGrown({ tags: 1, operations: 300 }));
    const { "tag.Cats-.-Dogs-0.html": tag = "", "operation.get0x7.html": operation = "" } = pages;
    expect(
      tag.match(/<a href="operation\.get0x\d+\.html#operation\/get0x\d+">/g)?.length,
    ).toBeGreaterThanOrEqual(300);
    expect(readIds(operation)).toContain("operation/get0x7");
    expect(readIds(operation)).not.toContain("operation/get0x8");
    expect(operation).toContain("<title>Get 0x7 · Grown 1</title>");
  });

  test("have names that every file system keeps apart", () => {
    const contract = createGrown({
      tags: 2,
      operations: 150,
      name: (index) => ["Pets", "pets"][index] ?? "",
    });
    const names = Object.keys(renderPages(contract));
    expect(names).toEqual(expect.arrayContaining(["tag.Pets.html", "tag.pets.2.html"]));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });
});

describe("schemas", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  test("that refer to themselves, directly and through others, end in links", () => {
    const schemas = {
      Tree: {
        type: "object",
        properties: { children: { type: "array", items: ref("Tree") }, other: ref("Other") },
      },
      Other: {
        allOf: [ref("Tree"), { type: "object", properties: { any: { anyOf: [ref("Other"), ref("Tree")] } } }],
      },
      Loop: { $ref: "#/components/schemas/Loop" },
      Deep: { items: { items: { items: ref("Deep") } } },
    };
    const { "index.html": page = "" } = renderPages({ components: { schemas } });
    expect(page.length).toBeLessThan(60_000);
    for (const name of Object.keys(schemas)) expect(page).toContain(`id="schema/${name}"`);
    expect(page).toContain('array of <a href="#schema/Tree">Tree</a>');
  });

  test("each of which refers to all others are bounded", () => {
    const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
    const all = { type: "object", properties: Object.fromEntries(names.map((name) => [name, ref(name)])) };
    const schemas = Object.fromEntries(names.map((name) => [name, all]));
    const pages = Object.values(renderPages({ components: { schemas } }));
    expect(pages.reduce((sum, page) => sum + page.length, 0)).toBeLessThan(2_000_000);
  });

  test("in a longer chain than a stack is deep are shown", () => {
    const chain = Array.from(
      { length: 6_000 },
      (_, index) => [`S${index}`, { items: ref(`S${index + 1}`) }] as const,
    );
    const { "index.html": page = "", ...others } = renderPages({
      components: { schemas: Object.fromEntries(chain) },
    });
    expect(Object.keys(others).length).toBeGreaterThan(1);
    expect(page).toContain("Schemas");
  });
});
