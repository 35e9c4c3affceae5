import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const lint = (mcp: string, extra = "summary: List") =>
  problemsOf(
    `openapi: 3.1.0
paths:
  /a:
    get:
      operationId: listA
      x-mcp: ${mcp}
      ${extra}
  /b:
    get:
      operationId: listB
      x-mcp: true
      summary: List
`,
    { rule: "tenon/tool-declared" },
  );

test.each([
  "true",
  "false",
  "{}",
  '{ name: "see-a_1", title: See, description: Look, confirm: true, openWorld: false }',
])("tool-declared: %s is right", async (mcp) => {
  expect(await lint(mcp)).toEqual([]);
});

test.each([
  ["1", "6:14", "Expected `x-mcp` to be true, false or an object; found 1."],
  [
    "{ nmae: a }",
    "6:16",
    "`x-mcp` has no member `nmae`. It has name, title, description, confirm, openWorld.",
  ],
  ["{ confirm: yes please }", "6:25", 'Expected `confirm` to be a boolean; found "yes please".'],
  [
    "{ name: a b }",
    "6:22",
    'Expected a tool\'s name to be 1 to 64 letters, digits, `_` and `-` that start with a letter or `_`; found "a b".',
  ],
  [
    `{ description: ${"x".repeat(901)} }`,
    "6:29",
    "Expected at most 900 characters; found 901. The rest is left out.",
  ],
])("tool-declared: %s is wrong", async (mcp, place, message) => {
  expect(await lint(mcp)).toEqual([`${place} warn ${message}`]);
});

test("tool-declared: names are unique", async () => {
  expect(await lint("{ name: listB }")).toEqual([
    '11:14 warn Expected a name that no other tool has; "listB" is also that of listA.',
  ]);
});

test("tool-declared: a tool has a description", async () => {
  expect(await lint("true", "tags: []")).toEqual([
    "6:14 warn Expected a description of the tool: models choose tools by it. Add a summary.",
  ]);
});
