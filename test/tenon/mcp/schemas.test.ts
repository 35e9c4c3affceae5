// @thorough: compiles the tools of all fixtures.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import fc from "fast-check";
import { createValues, toNumbers, toStrings } from "../../../src/cli/values/index.js";
import { type Contract } from "../../../src/tenon/core/model/index.js";
import { createTools, type Tool, TOOL_NAME } from "../../../src/tenon/mcp/tools.js";
import { toMediaKind } from "../../../src/tenon/core/http/media-type.js";
import { loadDocument, toRouted } from "../../cli/mock/serve.js";

const FIXTURES = readdirSync(new URL("../../fixtures", import.meta.url)).map(
  (name) => `test/fixtures/${name}/openapi.yaml`,
);

/** As strict as it can be; a value may be of several types. */
const createStrict = () =>
  new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: true, validateFormats: false });

const toAll = (contract: Contract): readonly Tool[] => createTools(contract, contract.operations);

/** The tool of an operation that has a JSON body of this schema, in both directions. */
function toTool(schema: object, schemas: object = {}): Tool {
  const content = { "application/json": { schema } };
  const [tool] = toAll(
    toRouted({
      openapi: "3.1.0",
      info: { title: "Schemas", version: "1" },
      paths: {
        "/a": {
          post: {
            operationId: "a",
            requestBody: { required: true, content },
            responses: { "200": { description: "ok", content } },
          },
        },
      },
      components: { schemas },
    }),
  );
  if (tool === undefined) throw new Error("There is no tool");
  return tool;
}

const bodyOf = ({ outputSchema }: Tool): unknown => outputSchema.properties["body"];

describe.each([...FIXTURES, "openapi/v1.yaml"])("%s", (file) => {
  const load = async () => toRouted(await loadDocument(file));

  test("every schema compiles as strictly as can be, and every name is accepted", async () => {
    const tools = toAll(await load());
    expect(tools.length).toBeGreaterThan(0);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, inputSchema, outputSchema, arguments: known } of tools) {
      expect(name).toMatch(TOOL_NAME);
      for (const argument of known) expect(argument.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      for (const schema of [inputSchema, outputSchema]) {
        createStrict().compile(schema);
        expect(JSON.stringify(schema)).not.toContain('"$ref":"#/components');
        expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) as unknown });
      }
    }
  });

  test("no output schema refuses a correct answer", async () => {
    const contract = await load();
    for (const { operation, outputSchema } of toAll(contract)) {
      const validate = createStrict().compile(outputSchema);
      for (const { status, mediaTypes } of operation.responses)
        for (const { name, schema, items } of mediaTypes) {
          if (!status.startsWith("2") || schema === undefined || items !== undefined) continue;
          if (toMediaKind(name) !== "json") continue;
          for (const optional of [0, 0.5, 1]) {
            const make = createValues({
              ...{ registry: contract.registry, side: "response", optional, examples: 0 },
              leaves: { strings: toStrings, numbers: toNumbers },
            });
            const values = make(schema);
            for (const body of values ? fc.sample(values, { seed: 1, numRuns: 20 }) : []) {
              const isValid = validate({ status: Number(status) || 200, body });
              expect([operation.id, isValid ? [] : [body, validate.errors]]).toEqual([operation.id, []]);
            }
          }
        }
    }
  });
});

test("circular schemas are unrolled to a bound, where any value is allowed", () => {
  const Node = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/Node" } },
  };
  const tool = toTool({ $ref: "#/components/schemas/Node" }, { Node });
  const level = (next: object) => ({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, next },
  });
  expect(bodyOf(tool)).toEqual(level(level({})));
  expect(tool.inputSchema).toMatchObject({ required: ["name"], properties: { next: { type: "object" } } });
});

test("a schema that is wide at every level stays small", () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const Wide = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
  };
  const schemas = Object.fromEntries(names.map((name) => [name, Wide]));
  const tool = toTool(Wide, schemas);
  expect(JSON.stringify(tool.inputSchema).length).toBeLessThan(50_000);
  expect(JSON.stringify(tool.outputSchema).length).toBeLessThan(15_000);
});

test("read-only properties are left out of arguments, and write-only ones of answers", () => {
  const tool = toTool({
    type: "object",
    required: ["id", "secret"],
    properties: {
      id: { type: "integer", readOnly: true },
      secret: { type: "string", writeOnly: true },
      name: { type: "string" },
    },
  });
  expect(tool.inputSchema.required).toEqual(["secret"]);
  expect(Object.keys(tool.inputSchema.properties)).toEqual(["secret", "name"]);
  expect(bodyOf(tool)).toMatchObject({ required: ["id"], properties: { id: {}, name: {} } });
  expect(JSON.stringify(tool.outputSchema)).not.toContain("secret");
});

test("alternatives say the value of their discriminator", () => {
  const pet = (own: object) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, ...own },
  });
  const tool = toTool(
    {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "Dog" } },
    },
    { Cat: pet({ lives: { type: "integer" } }), Dog: pet({ size: { type: "string" } }) },
  );
  expect(tool.inputSchema.properties["body"]).toMatchObject({
    anyOf: [{ properties: { kind: { enum: ["cat"] } } }, { properties: { kind: { enum: ["dog"] } } }],
  });
});

test("what validators would refuse is left to the service: patterns, formats, keywords of other types", () => {
  const tool = toTool({
    type: "object",
    properties: {
      a: { type: "string", pattern: "^[\\w-.]\\-$", format: "petId" },
      b: { type: "boolean", minimum: 1 },
      c: { additionalProperties: { type: "string" } },
      e: { type: "integer", format: "int64", minimum: 1 },
      f: { enum: ["x", "x"], type: ["string", "null"] },
    },
  });
  expect(tool.inputSchema.properties).toMatchObject({
    a: { type: "string" },
    b: { type: "boolean" },
    c: { type: "object", additionalProperties: { type: "string" } },
    e: { type: "integer", minimum: 1 },
    f: { type: ["string", "null"], enum: ["x"] },
  });
  createStrict().compile(tool.inputSchema);
  createStrict().compile(tool.outputSchema);
});

test("alternatives of other types than their schema leave it strict, and allow their values", () => {
  // As `nullable` beside `allOf` is read.
  const link = {
    type: "object",
    allOf: [{ type: "object", properties: { url: { type: "string" } } }],
    anyOf: [{ type: "object" }, { anyOf: [{ type: "null" }, { type: "string" }] }],
  };
  const tool = toTool({ type: "object", properties: { link } });
  for (const schema of [tool.inputSchema, tool.outputSchema]) createStrict().compile(schema);
  expect(tool.inputSchema.properties["link"]).toMatchObject({ type: ["object", "null", "string"] });
});

test("members that no client accepts as names are one argument", () => {
  const tool = toTool({ type: "object", required: ["a b"], properties: { "a b": { type: "string" } } });
  expect(tool.arguments).toEqual([{ name: "body", in: "body", target: "" }]);
  expect(tool.inputSchema.required).toEqual(["body"]);
});
