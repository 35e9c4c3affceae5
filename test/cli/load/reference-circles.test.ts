// @slow: runs every command for every circle.
import { describe, expect, test } from "@jest/globals";
import { runIn } from "../commands/run.js";
import { createProject, toContract } from "./project.js";

const toComponents = (kind: string, a: string, b: string) =>
  toContract(`paths: {}\ncomponents:\n  ${kind}:\n    A: { $ref: "${a}" }\n    B: { $ref: "${b}" }\n`);

const [AT_A, AT_B] = ["openapi.yaml:8:5", "openapi.yaml:9:5"];

/** The positions of circles, as each command that reads the contract reports them. */
async function findCircles(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = createProject(files);
  const outcomes = [await runIn(folder, "lint"), await runIn(folder, "generate")];
  const [found, same] = outcomes.map(({ stdout, stderr }) =>
    [...(stdout + stderr).matchAll(/^(\S+) {2}(?:error {2})?reference-unresolved .* is circular$/gm)].map(
      ([, at]) => at ?? "",
    ),
  );
  expect([...(same ?? [])].sort()).toEqual([...(found ?? [])].sort());
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(found?.length === 0 ? [0, 0] : [1, 1]);
  return [...(found ?? [])].sort();
}

describe("references that lead back to themselves are reported at their own line", () => {
  test.each([
    "schemas",
    "headers",
    "parameters",
    "responses",
    "requestBodies",
    "examples",
    "links",
    "callbacks",
    "securitySchemes",
    "pathItems",
  ])("components/%s", async (kind) => {
    const contract = toComponents(kind, `#/components/${kind}/B`, `#/components/${kind}/A`);
    expect(await findCircles({ "openapi.yaml": contract })).toEqual([AT_A, AT_B]);
  });

  test("one that refers to itself; who refers to it is none of them", async () => {
    const contract = toComponents("schemas", "#/components/schemas/B", "#/components/schemas/B");
    expect(await findCircles({ "openapi.yaml": contract })).toEqual([AT_B]);
  });

  test("one that refers into itself", async () => {
    const contract = toComponents("schemas", "#/components/schemas/A/properties/a", "#/components/schemas/A");
    expect(await findCircles({ "openapi.yaml": contract })).toEqual([AT_A]);
  });

  test("through other files, several at once", async () => {
    const found = await findCircles({
      "openapi.yaml": toComponents("schemas", "a/a.yaml", "a/c.yaml#/C"),
      "a/a.yaml": "$ref: b.yaml#/B\n",
      "a/b.yaml": "B: { $ref: a.yaml }\n",
      "a/c.yaml": "C: { properties: { d: { $ref: '#/D' } } }\nD: { $ref: '#/D' }\n",
    });
    expect(found).toEqual(["a/a.yaml:1:1", "a/b.yaml:1:1", "a/c.yaml:2:1"]);
  });

  test("a path item", async () => {
    const contract = toContract("paths:\n  /a: { $ref: '#/paths/~1b' }\n  /b: { $ref: '#/paths/~1a' }\n");
    expect(await findCircles({ "openapi.yaml": contract })).toEqual(["openapi.yaml:6:3", "openapi.yaml:7:3"]);
  });

  test.each([
    ["through a property", "A: { properties: { a: { $ref: '#/components/schemas/A' } } }"],
    ["in data", "A: { default: { $ref: '#/components/schemas/A/default' } }"],
    ["in an example", "A: { type: object, example: { $ref: '#/components/schemas/A/example' } }"],
    [
      "through a property called $ref",
      "A: { properties: { $ref: { $ref: '#/components/schemas/B' } } }\n    B: {}",
    ],
  ])("%s there is none", async (_, schema) => {
    const contract = toContract(`paths: {}\ncomponents:\n  schemas:\n    ${schema}\n`);
    expect(await findCircles({ "openapi.yaml": contract })).toEqual([]);
  });
});
