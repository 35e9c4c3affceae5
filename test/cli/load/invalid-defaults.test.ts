import { describe, expect, test } from "@jest/globals";
import { loadApis } from "../../../src/cli/project/index.js";
import { emitApi } from "../../../src/cli/generator/index.js";
import { createSites } from "../../../src/cli/docs/index.js";
import { diffContracts } from "../../../src/cli/diff/index.js";
import { findSource, readContract } from "../../../src/cli/diff/source/index.js";
import { createProject, toContract } from "./project.js";

/** A contract with an operation that has a parameter. */
function toDocument(schema: string, others = ""): string {
  const parameter = `{ name: limit, in: query, schema: ${schema} }`;
  return toContract(
    `paths:\n  /a:\n    get:\n      operationId: list\n      parameters:\n        - ${parameter}\n      responses: { "204": { description: Done. } }\n${others}`,
  );
}

/** Generates the code of an operation with a parameter. */
async function generate(schema: string, version = "3.1.0", others = "") {
  const contract = toDocument(schema, others).replace("3.1.0", version);
  const folder = createProject({ "openapi.yaml": contract });
  const [api] = await loadApis(folder);
  if (api === undefined) throw new Error("There is no API");
  const { files, warnings } = await emitApi(api, folder);
  return {
    isOptional: files.get("server.ts")?.includes("limit?:"),
    isKept: files.get("contract.json")?.includes('"default"'),
    warnings: warnings.map(({ code, line, message }) => `${line} ${code} ${message}`),
  };
}

const IGNORED = "10 default-ignored The default is not valid for its schema, and is ignored:";

test("an unchanged contract is not emitted again, though its invalid defaults are removed each time", async () => {
  const folder = createProject({ "openapi.yaml": toDocument("{ type: integer, default: ten }") });
  const [api] = await loadApis(folder);
  if (api === undefined) throw new Error("There is no API");
  const last = await emitApi(api, folder);
  const again = await emitApi(api, folder, { last });
  expect(again.files).toBe(last.files);
  expect(again.warnings).toEqual(last.warnings);
});

describe("a default that its schema does not allow is not applied", () => {
  test.each([
    ["3.1.0", "{ type: integer, default: ten }", 'The value is "ten"; the contract says type "integer"'],
    ["3.1.0", "{ type: integer, minimum: 1, default: 0 }", "The value is 0; the contract says minimum 1"],
    ["3.0.3", "{ type: integer, minimum: 1, default: 0 }", "The value is 0; the contract says minimum 1"],
    ["3.0.3", "{ type: string, enum: [a], default: b }", 'The value is "b"; the contract says enum ["a"]'],
    [
      "3.0.3",
      "{ type: string, format: date, default: x }",
      'The value is "x"; the contract says format "date"',
    ],
    [
      "3.1.0",
      "{ type: array, items: { type: string }, default: [1] }",
      '"/0" is 1; the contract says type "string"',
    ],
  ])("%s: %s", async (version, schema, reason) => {
    expect(await generate(schema, version)).toEqual({
      isOptional: true,
      isKept: false,
      warnings: [`${IGNORED} ${reason}`],
    });
  });

  test("behind a reference", async () => {
    const components = "components:\n  schemas:\n    Limit: { type: integer, default: ten }\n";
    const { warnings, isKept } = await generate(
      '{ $ref: "#/components/schemas/Limit" }',
      "3.1.0",
      components,
    );
    expect([warnings.length, isKept]).toEqual([1, false]);
  });
});

test.each([
  ["3.0.3", "{ type: integer, nullable: true, default: null }"],
  ["3.1.0", "{ type: [integer, 'null'], default: null }"],
  ["3.1.0", "{ type: string, default: 2020-01-01 }"],
  ["3.1.0", "{ type: string, format: color, default: red }"],
  ["3.1.0", "{ type: string, pattern: '^a', maxLength: 2, default: ab }"],
  ["3.1.0", "{ type: number, exclusiveMinimum: 0, default: 1 }"],
  ["3.1.0", "{ type: array, items: { type: string }, default: [] }"],
  ["3.1.0", "{ anyOf: [{ type: integer }, { enum: [all] }], default: all }"],
])("%s: %s is applied", async (version, schema) => {
  expect(await generate(schema, version)).toEqual({ isOptional: false, isKept: true, warnings: [] });
});

test("tenon diff does not compare an invalid default", async () => {
  const cwd = createProject({
    "invalid.yaml": toDocument("{ type: integer, default: ten }"),
    "other.yaml": toDocument("{ type: integer, default: twenty }"),
    "valid.yaml": toDocument("{ type: integer, default: 10 }"),
  });
  const read = async (name: string) => readContract(await findSource(name, undefined, cwd), undefined);
  const compare = async (base: string, revision: string) => {
    const contracts = { base: await read(base), revision: await read(revision) };
    return (await diffContracts(contracts, { now: 0 })).changes.map(({ code }) => code);
  };
  expect(await compare("invalid.yaml", "other.yaml")).toEqual([]);
  expect(await compare("invalid.yaml", "valid.yaml")).toEqual(["request-default-added"]);
});

test("the docs do not show an invalid default", async () => {
  const write = async (schema: string) => {
    const cwd = createProject({ "openapi.yaml": toDocument(schema) });
    const { files } = await createSites(await loadApis(cwd), { cwd, now: 0 });
    return [...files].filter(([, { text }]) => text.includes("default")).length;
  };
  const whole = await write("{ type: integer }");
  expect(await write("{ type: integer, default: ten }")).toBe(whole);
  expect(await write("{ type: integer, default: 10 }")).toBeGreaterThan(whole);
});
