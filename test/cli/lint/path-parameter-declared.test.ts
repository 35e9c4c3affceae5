import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/path-parameter-declared";

/** A document with one path, whose operation declares the given names. */
function document(template: string, names: readonly string[], shared: readonly string[] = []): string {
  const list = (of: readonly string[]) => `[${of.map((name) => `{ name: "${name}", in: path }`).join(", ")}]`;
  return `openapi: 3.1.0
paths:
  "${template}":
    parameters: ${list(shared)}
    get:
      parameters: ${list(names)}
`;
}

test.each([
  { template: "/pets", names: [] },
  { template: "/pets/{petId}", names: ["petId"] },
  { template: "/pets/{pet-id}", names: ["pet-id"] },
  { template: "/pets/{id}:archive", names: ["id"] },
  { template: "/{a}.{ext}", names: ["ext", "a"] },
  { template: "/{a}/{b}", names: ["a", "b"] },
  { template: "/{a}/{b}/{a}", names: ["a", "b"] },
])("path-parameter-declared: $template passes", async ({ template, names }) => {
  expect(await problemsOf(document(template, names), { rule })).toEqual([]);
});

test.each([
  { template: "pets", problem: "Expected a `/` at the start" },
  { template: "/pets/{petId", problem: "Expected braces in pairs; found a single `{`" },
  { template: "/pets/petId}", problem: "Expected braces in pairs; found a single `}`" },
  { template: "/pets/{{petId}", problem: "Expected braces in pairs; found a single `{`" },
  { template: "/pets/{}", problem: "Expected a parameter name; found `{}`" },
  { template: "/{a/b}", problem: "Expected a parameter name without `/`, `?` and `#`; found `{a/b}`" },
  { template: "/{a?}", problem: "Expected a parameter name without `/`, `?` and `#`; found `{a?}`" },
  { template: "/{a#}", problem: "Expected a parameter name without `/`, `?` and `#`; found `{a#}`" },
])("path-parameter-declared: $template is refused", async ({ template, problem }) => {
  expect(await problemsOf(document(template, []), { rule })).toEqual([
    `3:3 warn ${problem} in \`${template}\`.`,
  ]);
});

test.each([
  {
    name: "a name without a parameter",
    source: document("/{a}", []),
    want: ["5:5 warn Expected one parameter `a` with `in: path` for `/{a}`; found none."],
  },
  {
    name: "a parameter without a name",
    source: document("/pets", ["petId"]),
    want: ["6:28 warn Expected `{petId}` in `/pets`; the template has no such name."],
  },
  {
    name: "a parameter of the path item without a name",
    source: document("/pets", [], ["petId"]),
    want: ["4:26 warn Expected `{petId}` in `/pets`; the template has no such name."],
  },
  {
    name: "a parameter declared twice",
    source: document("/{a}", ["a", "a"]),
    want: ["5:5 warn Expected one parameter `a` with `in: path` for `/{a}`; found 2."],
  },
  { name: "the path item's parameter counts", source: document("/{a}", [], ["a"]), want: [] },
  {
    name: "the operation's parameter wins over the path item's",
    source: document("/{a}", ["a"], ["a"]),
    want: [],
  },
  {
    name: "a query parameter of the same name does not count",
    source: document("/{a}", ["a"]).replace("in: path", "in: query"),
    want: ["5:5 warn Expected one parameter `a` with `in: path` for `/{a}`; found none."],
  },
  {
    name: "references are followed, and problems reported at the author's line",
    source: `openapi: 3.1.0
paths:
  /{a}:
    $ref: "#/components/pathItems/A"
components:
  pathItems:
    A:
      get: { parameters: [{ $ref: "#/components/parameters/B" }] }
  parameters:
    B: { in: path, name: b }
`,
    want: [
      "10:26 warn Expected `{b}` in `/{a}`; the template has no such name.",
      "8:7 warn Expected one parameter `a` with `in: path` for `/{a}`; found none.",
    ],
  },
])("path-parameter-declared: $name", async ({ source, want }) => {
  expect(await problemsOf(source, { rule })).toEqual(want);
});
