import { describe, expect, test } from "@jest/globals";
import {
  createSearch,
  flatten,
  type MenuItem,
  readHash,
  toEntryGroups,
  toHash,
} from "../../../../src/cli/docs/paging/menu-entries.js";
import { createPages } from "../../../../src/cli/docs/paging/pages.js";

const toOperation = (id: string, more: Partial<MenuItem> = {}): MenuItem => ({
  id: `operation/${id}`,
  operationHash: `operation/${id}`,
  operationId: id,
  name: `Do ${id}`,
  type: "operation",
  httpVerb: "get",
  path: `/${id}`,
  items: [],
  ...more,
});

const toTag = (name: string, items: readonly MenuItem[]): MenuItem => ({
  id: `tag/${name}`,
  name,
  type: "tag",
  items,
});

const within = (tag: string, item: MenuItem): MenuItem => ({ ...item, id: `tag/${tag}/${item.id}` });

const MENU: readonly MenuItem[] = [
  { id: "section/Errors", name: "Errors", type: "section", items: [] },
  toTag("a", [
    { id: "tag/a/How", name: "How", type: "section", items: [] },
    within("a", toOperation("one")),
    within("a", toOperation("two")),
  ]),
  toTag("b", [within("b", toOperation("one"))]),
  toOperation("x/y z"),
  {
    id: "/paths/hook/post",
    name: "Hook",
    type: "operation",
    httpVerb: "post",
    path: "hook",
    isWebhook: true,
    items: [],
  },
];

const GROUPS = toEntryGroups(MENU);
const ENTRIES = flatten(GROUPS.flatMap(({ entries }) => entries));

/** As many operations as make a contract large. */
const MANY = toEntryGroups([
  ...MENU,
  toTag(
    "many",
    Array.from({ length: 100 }, (_, index) => within("many", toOperation(`many${index}`))),
  ),
]);

const CONTRACT = { openapi: "3.1.0", info: { title: "A", version: "1", description: "# Errors" }, paths: {} };

describe("entries of the menu", () => {
  test("operations without a tag are gathered, webhooks by themselves", () => {
    expect(GROUPS.map(({ name, entries }) => [name, entries.map(({ id }) => id)])).toEqual([
      [undefined, ["section/Errors", "tag/a", "tag/b"]],
      ["Operations", ["operation/x/y z"]],
      ["Webhooks", ["/paths/hook/post"]],
    ]);
  });

  test("groups of tags keep their names", () => {
    const [group] = toEntryGroups([{ id: "group/G", name: "G", type: "group", items: [toTag("a", [])] }]);
    expect([group?.name, group?.entries.map(({ id }) => id)]).toEqual(["G", ["tag/a"]]);
  });

  test("an operation of two tags has its short id under the first", () => {
    expect(ENTRIES.map(({ id }) => id)).toEqual([
      "section/Errors",
      ...["tag/a", "tag/a/How", "operation/one", "operation/two"],
      ...["tag/b", "tag/b/operation/one"],
      "operation/x/y z",
      "/paths/hook/post",
    ]);
  });

  test.each(["operation/x/y z", "operation/a#b?c%20d", "tag/ü", "operation/\u{1f600}"])(
    "%j is read from the address as it was written into it",
    (id) => {
      expect(readHash(new URL(toHash(id), "file:///").hash)).toBe(id);
    },
  );

  test("an address that nobody wrote is taken as it is", () => {
    expect(readHash("#operation/100%")).toBe("operation/100%");
    expect(toHash("operation/\ud800")).toBe("#operation/%EF%BF%BD");
  });
});

describe("search", () => {
  const find = createSearch([
    ...ENTRIES,
    {
      id: "tag/c",
      alias: "tag/c",
      name: "c",
      kind: "tag",
      entries: [],
      description: "Says *how* to do two things",
    },
  ]);
  const search = (text: string) => find(text).map(({ id }) => id);

  test.each([
    ["", []],
    ["nothing", []],
    ["TWO", ["operation/two", "tag/c"]],
    ["get /two", ["operation/two"]],
    ["do one", ["operation/one", "tag/b/operation/one"]],
    // By name, then by description.
    ["how", ["tag/a/How", "tag/c"]],
  ])("finds by %j, in this order, %j", (text, ids) => {
    expect(search(text)).toEqual(ids);
  });
});

describe("pages", () => {
  test("of a small contract there is one, the contract itself", () => {
    const { isPaged, find } = createPages(CONTRACT, GROUPS);
    expect([isPaged, find("")?.createContract(), find("operation/one")?.key]).toEqual([
      false,
      CONTRACT,
      "whole",
    ]);
  });

  const { isPaged, find } = createPages(CONTRACT, MANY);

  test.each([
    ["", "introduction", ""],
    // What is within something is on its page.
    ["section/Errors", "introduction", ""],
    ["section/Errors/Below", "introduction", ""],
    ["tag/a", "tag", "tag/a"],
    ["tag/a/How", "tag", "tag/a"],
    ["operation/one", "operation", "operation/one"],
    ["tag/a/operation/one", "operation", "operation/one"],
    ["tag/b/operation/one", "operation", "tag/b/operation/one"],
    ["operation/x/y z", "operation", "operation/x/y z"],
    ["/paths/hook/post", "operation", "/paths/hook/post"],
    ["operation/none", undefined, undefined],
    ["docs", undefined, undefined],
  ])("of a large one, %j is on the page %j", (id, kind, key) => {
    expect(isPaged).toBe(true);
    expect([find(id)?.kind, find(id)?.key]).toEqual([kind, key]);
  });
});
