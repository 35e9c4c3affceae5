import { describe, expect, test } from "@jest/globals";
import { buildModel } from "../../../src/tenon/contract/build-model.js";

const SCHEMAS = {
  Size: { type: "integer" },
  Named: { type: "object", properties: { name: { type: "string" } } },
  Tree: {
    type: "object",
    properties: { value: { type: "integer" }, child: { $ref: "#/components/schemas/Tree" } },
  },
};
const ref = (name: keyof typeof SCHEMAS) => ({ $ref: `#/components/schemas/${name}` });
const plain = { type: "string" };

function build(parameter: object, openapi = "3.1.0") {
  const problems: { code: string; pointer: string; message: string }[] = [];
  const contract = buildModel({
    document: {
      openapi,
      info: { title: "Test", version: "1.0.0" },
      paths: { "/a": { get: { parameters: [{ name: "p", in: "query", ...parameter }], responses: {} } } },
      components: { schemas: SCHEMAS },
    },
    report: (code, pointer, message) => problems.push({ code, pointer, message }),
  });
  return { parameter: contract.operations[0]?.parameters[0], problems };
}

describe("the type of a parameter", () => {
  test.each<[schema: object, want: unknown, openapi?: string]>([
    [{ type: "integer" }, "integer"],
    [{}, "string"],
    [{ minLength: 1 }, "string"],
    [{ type: ["string", "integer", "null"] }, ["null", "integer", "string"]],
    [{ type: ["integer", "number"] }, "number"],
    [{ type: "boolean", nullable: true }, ["null", "boolean"], "3.0.3"],
    [{ type: "boolean", nullable: true }, "boolean"],
    [{ allOf: [ref("Size")], nullable: true }, ["null", "integer"], "3.0.3"],
    [{ enum: ["a", 1, 1.5, true, null] }, ["null", "boolean", "number", "string"]],
    [{ type: "string", enum: ["1"] }, "string"],
    [{ const: 1 }, "integer"],
    [ref("Size"), "integer"],
    [{ allOf: [ref("Size"), { minimum: 1 }] }, "integer"],
    [{ allOf: [{ type: "number" }, ref("Size")] }, "integer"],
    [{ oneOf: [{ type: "string" }, ref("Size")] }, ["integer", "string"]],
    [{ type: "string", anyOf: [{ minLength: 1 }, { maxLength: 5 }] }, "string"],
    [{ type: "array", items: ref("Size") }, { items: "integer" }],
    [{ type: "array" }, { items: "string" }],
    [{ items: {} }, { items: "string" }],
    [{ type: ["array", "string"], items: ref("Size") }, ["string", { items: "integer" }]],
    [{ type: "object" }, { additionalProperties: "string" }],
    [{ type: ["object", "null"] }, { additionalProperties: "string" }],
    [ref("Named"), { properties: { name: "string" } }],
    [
      { ...ref("Named"), additionalProperties: ref("Size") },
      { properties: { name: "string" }, additionalProperties: "integer" },
    ],
    [{ type: "object", additionalProperties: false }, {}],
    [
      { allOf: [ref("Named"), { type: "object" }, { properties: { age: ref("Size") } }] },
      { properties: { name: "string", age: "integer" } },
    ],
    [
      { oneOf: [ref("Named"), { properties: { name: ref("Size") } }] },
      { properties: { name: ["integer", "string"] } },
    ],
  ])("of %j is %j", (schema, want, openapi = "3.1.0") => {
    const { parameter, problems } = build({ schema }, openapi);
    expect(problems).toEqual([]);
    expect(parameter?.type).toEqual(want);
  });

  test("of content is JSON", () => {
    expect(build({ content: { "application/json": { schema: ref("Tree") } } }).parameter?.type).toBe("json");
    expect(build({ content: { "text/csv": {} } }).problems).toMatchObject([
      { code: "parameter-style", pointer: "#/paths/~1a/get/parameters/0/content/text~1csv" },
    ]);
  });
});

describe("a style that cannot write its type", () => {
  const list = { type: "array", items: plain };
  const nested = { type: "array", items: list };
  const holds = (property: object) => ({ type: "object", properties: { a: property } });

  test.each<[string, object]>([
    ["form array", { schema: list }],
    ["exploded object of arrays", { schema: holds(list) }],
    ["deepObject of objects", { style: "deepObject", schema: holds(holds(list)) }],
    ["header object", { in: "header", schema: holds(plain) }],
    ["matrix array", { in: "path", style: "matrix", schema: list }],
  ])("%s is fine", (_, parameter) => {
    expect(build(parameter).problems).toEqual([]);
  });

  test.each<[string, object, key: string, message: string]>([
    [
      "deepObject array",
      { style: "deepObject", schema: list },
      "style",
      'style "deepObject" is for objects only',
    ],
    [
      "deepObject of nested arrays",
      { style: "deepObject", schema: holds(nested) },
      "style",
      "its arrays hold more than plain values",
    ],
    [
      "pipeDelimited string",
      { style: "pipeDelimited", schema: plain },
      "style",
      'style "pipeDelimited" is for arrays and objects only',
    ],
    [
      "form in a path",
      { in: "path", style: "form", schema: plain },
      "style",
      'style "form" is not one of simple, label, matrix, the styles of a path parameter',
    ],
    ["array of arrays", { schema: nested }, "schema", 'style "form" cannot hold arrays or objects in others'],
    [
      "object of arrays, not exploded",
      { explode: false, schema: holds(list) },
      "schema",
      'style "form" cannot hold arrays or objects in others',
    ],
    [
      "object of objects",
      { schema: holds(ref("Named")) },
      "schema",
      'style "form" cannot hold arrays or objects in others',
    ],
    [
      "an object that contains itself",
      { style: "deepObject", schema: ref("Tree") },
      "schema",
      "the value contains itself, as Tree",
    ],
    [
      "an object or a string",
      { schema: { oneOf: [plain, ref("Named")] } },
      "schema",
      "the value is an object or something else, and its text does not tell which",
    ],
  ])("%s is a problem", (_, parameter, key, message) => {
    expect(build(parameter).problems).toEqual([
      {
        code: "parameter-style",
        pointer: `#/paths/~1a/get/parameters/0/${key}`,
        message: `Cannot read the parameter "p": ${message}`,
      },
    ]);
  });
});
