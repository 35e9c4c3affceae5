import { describe, expect, test } from "@jest/globals";
import { buildContract } from "../../../src/tenon/core/model/build-contract.js";

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
  const contract = buildContract(
    {
      openapi,
      info: { title: "Test", version: "1.0.0" },
      paths: { "/a": { get: { parameters: [{ name: "p", in: "query", ...parameter }], responses: {} } } },
      components: { schemas: SCHEMAS },
    },
    { report: (code, pointer, message) => problems.push({ code, pointer, message }) },
  );
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
    [{ prefixItems: [ref("Size"), { type: "string" }] }, { items: ["integer", "string"] }],
    [{ prefixItems: [ref("Size")], items: false }, { items: "integer" }],
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

  test.each<[mediaType: string, schema: object, want: object]>([
    ["application/json", ref("Tree"), { type: "json" }],
    ["application/problem+json; charset=utf-8", {}, { type: "json" }],
    ["text/csv", {}, { type: "string", schema: { type: ["string"] } }],
    [
      "text/csv",
      { type: "string", enum: ["a"] },
      { type: "string", schema: { type: ["string"], enum: ["a"] } },
    ],
    ["text/plain", { type: "integer" }, { type: "string", schema: { type: ["string"] }, opaque: true }],
    [
      "application/xml",
      { ...ref("Named"), default: {} },
      { type: "string", schema: { type: ["string"] }, opaque: true, hasDefault: false },
    ],
  ])("of content %s, %j", (mediaType, schema, want) => {
    const { parameter, problems } = build({ content: { [mediaType]: { schema } } });
    expect(parameter).toMatchObject(want);
    expect(parameter?.opaque).toBe((want as { opaque?: true }).opaque);
    const pointer = `#/paths/~1a/get/parameters/0/content/${mediaType.replace("/", "~1")}`;
    expect(problems).toMatchObject(parameter?.type === "json" ? [] : [{ code: "parameter-text", pointer }]);
  });

  test.each(["json", "text/csv; charset=latin1"])("of content %s is refused", (mediaType) => {
    expect(build({ content: { [mediaType]: {} } }).problems).toMatchObject([
      { code: "media-type-unsupported", message: expect.stringContaining('the parameter "p"') as unknown },
    ]);
  });
});

const list = { type: "array", items: plain };
const nested = { type: "array", items: list };
const holds = (property: object) => ({ type: "object", properties: { a: property } });
const deep = (schema: object) => ({ style: "deepObject", schema });

describe("a style", () => {
  test.each<[string, object, want: unknown]>([
    ["form array", { schema: list }, { items: "string" }],
    ["exploded object of arrays", { schema: holds(list) }, { properties: { a: { items: "string" } } }],
    ["header object", { in: "header", schema: holds(plain) }, { properties: { a: "string" } }],
    ["matrix array", { in: "path", style: "matrix", schema: list }, { items: "string" }],
    [
      "pipeDelimited string, which has nothing to delimit",
      { style: "pipeDelimited", schema: plain },
      "string",
    ],
    ["deepObject string", deep(plain), "string"],
    ["deepObject array of arrays", deep(nested), { items: { items: "string" } }],
    [
      "deepObject array of objects",
      deep({ type: "array", items: holds(ref("Size")) }),
      { items: { properties: { a: "integer" } } },
    ],
    [
      "deepObject object or integer",
      deep({ anyOf: [holds(ref("Size")), ref("Size")] }),
      ["integer", { properties: { a: "integer" } }],
    ],
    [
      "deepObject object or nothing",
      deep({ anyOf: [{ type: "object", additionalProperties: plain }, { enum: [""] }] }),
      ["string", { additionalProperties: "string" }],
    ],
    [
      "deepObject of everything",
      deep({ type: ["object", "array", "null", "boolean"], items: plain }),
      ["null", "boolean", { items: "string" }, { additionalProperties: "string" }],
    ],
  ])("represents %s", (_, parameter, want) => {
    const built = build(parameter);
    expect(built.problems).toEqual([]);
    expect(built.parameter?.type).toEqual(want);
  });

  test("that is not allowed at its location is an error", () => {
    const parameter = { in: "path", style: "form", schema: plain };
    expect(build(parameter).problems).toEqual([
      {
        code: "parameter-style",
        pointer: "#/paths/~1a/get/parameters/0/style",
        message:
          'Cannot read the parameter "p": style "form" is not one of simple, label, matrix, the styles of a path parameter',
      },
    ]);
  });

  const NESTED = "cannot hold arrays or objects in others";
  test.each<[string, object, key: string, message: string]>([
    ["array of arrays", { schema: nested }, "schema", `style "form" ${NESTED}`],
    [
      "label array of arrays",
      { in: "path", style: "label", schema: nested },
      "style",
      `style "label" ${NESTED}`,
    ],
    [
      "object of arrays, not exploded",
      { explode: false, schema: holds(list) },
      "schema",
      `style "form" ${NESTED}`,
    ],
    ["object of objects", { schema: holds(ref("Named")) }, "schema", `style "form" ${NESTED}`],
    ["an object that contains itself", deep(ref("Tree")), "style", "its value contains itself, as Tree"],
    [
      "an object or an array",
      { schema: { oneOf: [list, ref("Named")] } },
      "schema",
      'in style "form" its text does not show whether it is an object or another type',
    ],
  ])("that cannot represent %s becomes JSON, with a warning", (_, parameter, key, problem) => {
    const { problems, parameter: built } = build(parameter);
    expect(problems).toEqual([
      {
        code: "parameter-json",
        pointer: `#/paths/~1a/get/parameters/0/${key}`,
        message: `The parameter "p" is read as JSON: ${problem}`,
      },
    ]);
    const place = built?.in;
    const usual = place === "path" ? { style: "simple", explode: false } : { style: "form", explode: true };
    expect(built).toMatchObject({ type: "json", ...usual });
  });
});

test.each<[parameter: object, type: object, start: string]>([
  [{ schema: { oneOf: [plain, ref("Named")] } }, ["string", { json: ["object"] }], '"{"'],
  [{ schema: { type: ["string", "object"] } }, ["string", { json: ["object"] }], '"{"'],
  [{ in: "path", schema: { anyOf: [ref("Size"), ref("Named")] } }, ["integer", { json: ["object"] }], '"{"'],
  [
    { schema: { anyOf: [plain, list, ref("Named")] } },
    ["string", { json: ["object", "array"] }],
    '"{" or "["',
  ],
  [{ schema: { anyOf: [{ type: "boolean" }, nested] } }, ["boolean", { json: ["array"] }], '"["'],
  [{ schema: { type: ["null", "object", "array"] } }, "json" as never, ""],
])("%j is JSON if its first character says so, with a warning", (parameter, type, start) => {
  const { problems, parameter: built } = build(parameter);
  expect(built?.type).toEqual(type);
  expect(problems).toMatchObject([
    {
      code: "parameter-json",
      message: expect.stringContaining(
        start === "" ? "is read as JSON:" : `is read as JSON if it starts with ${start}:`,
      ) as unknown,
    },
  ]);
});

test("the empty text is a value if the schema lists it", () => {
  const empty = (schema: object) => build({ schema }).parameter?.allowEmptyValue;
  expect(empty({ type: "string" })).toBe(false);
  expect(empty({ enum: ["a"] })).toBe(false);
  expect(empty({ enum: ["", "a"] })).toBe(true);
  expect(empty({ anyOf: [{ type: "integer" }, { allOf: [{ const: "" }] }] })).toBe(true);
});
