import { describe, expect, test } from "@jest/globals";
import type { JsonSchema } from "../../../src/tenon/core/schema/index.js";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import type { SchemaProblem } from "../../../src/tenon/core/validation/index.js";
import { countReads } from "../../support/count-reads.js";

const EXPRESSION = { $ref: "contract:S0:Expression" };

const { request: validator } = createEov();
validator.add(
  {
    oneOf: [
      { type: "object", required: ["op"], properties: { op: { const: "not" }, left: EXPRESSION } },
      {
        type: "object",
        required: ["op"],
        properties: { op: { const: "and" }, left: { allOf: [EXPRESSION] }, right: EXPRESSION },
        unevaluatedProperties: false,
      },
      { type: "array", items: EXPRESSION },
      { type: "integer" },
    ],
  },
  EXPRESSION.$ref,
);
const validate = validator.compileValue(EXPRESSION);

const nest = (depth: number, inner: unknown, op = "not"): object =>
  Array.from({ length: depth }).reduce<object>((left) => ({ op, left }), inner as object);

function readsOf(value: object): number {
  const reads = countReads(value);
  validate(reads.value);
  return reads.count();
}

describe("a schema whose alternatives refer to it", () => {
  test.each([
    ["valid", 1, "not"],
    ["valid, in allOf", 1, "and"],
    ["invalid", "a", "not"],
  ])("validates each value once: %s", (_, inner, op) => {
    expect(readsOf(nest(16, inner, op))).toBeLessThan(readsOf(nest(8, inner, op)) * 8);
  });

  test("reports the innermost problem", () => {
    expect(validate({ op: "and", left: { op: "not", left: { op: "and", right: true } } })).toEqual([
      { path: ["left", "left", "right"], text: "must be an object, an array or an integer" },
    ]);
    expect(validate({ op: "and", left: 1, right: { op: "and", left: 1, x: 1 } })).toEqual([
      { path: ["right", "x"], text: "is unknown" },
    ]);
  });

  test("forgets a value when it has been validated", () => {
    const inner: Record<string, unknown> = { op: "not", left: 1 };
    const value = { op: "not", left: inner };
    expect(validate(value)).toEqual([]);
    inner["left"] = "a";
    expect(validate(value)).not.toEqual([]);
  });

  test("the same object in two places has a problem in each", () => {
    const twice = { op: "not", left: true };
    validator.add(
      { type: "object", properties: { a: EXPRESSION, b: EXPRESSION, c: { $ref: "contract:S1" } } },
      "contract:S1",
    );
    const problems = validator.compileValue({ $ref: "contract:S1" })({ a: twice, c: { b: twice } });
    expect(problems.map(({ path }) => path.join("/"))).toEqual(["a/left", "c/b/left"]);
  });
});

describe("members of a schema that refers to itself", () => {
  const SELF = { $ref: "contract:S0:Self" };
  const twice = (schema: JsonSchema & object): JsonSchema => ({
    anyOf: [{ ...schema, minProperties: 9, minItems: 9 }, schema],
  });
  const compileSelf = (schema: JsonSchema) => {
    const { request } = createEov();
    request.add(schema, SELF.$ref);
    return request.compileValue(SELF);
  };
  const toObject = (inner: unknown) => ({ a: inner, b: {} });
  const toArray = (inner: unknown) => [inner, 1];

  test.each<[string, JsonSchema, (inner: unknown) => object]>([
    ["unevaluatedProperties", twice({ unevaluatedProperties: SELF }), toObject],
    ["unevaluatedItems", twice({ unevaluatedItems: SELF }), toArray],
    ["contains", twice({ contains: SELF, minContains: 2 }), toArray],
    ["if", { if: { unevaluatedProperties: SELF }, then: { unevaluatedProperties: SELF } }, toObject],
    [
      "dependentSchemas",
      { dependentSchemas: { a: { unevaluatedProperties: SELF }, b: { unevaluatedProperties: SELF } } },
      toObject,
    ],
  ])("are validated once: %s", (_, schema, wrap) => {
    const validateSelf = compileSelf(schema);
    const readsAt = (depth: number) => {
      const value = Array.from({ length: depth }).reduce<object>(wrap, wrap({}));
      const reads = countReads(value);
      validateSelf(reads.value);
      return reads.count();
    };
    expect(readsAt(16)).toBeLessThan(readsAt(8) * 4);
  });

  test("have a problem in each place where the same object is", () => {
    const inner = { a: 1 };
    const problems = compileSelf({ type: "object", unevaluatedProperties: SELF })({
      b: inner,
      c: { d: inner },
    });
    expect(problems.map(({ path }) => path.join("/"))).toEqual(["b/a", "c/d/a"]);
  });
});

describe("a constant", () => {
  const INNER = { $ref: "contract:S0:Inner" };
  const read = (schema: JsonSchema, value: object): number => {
    const { request } = createEov();
    request.add(schema, INNER.$ref);
    const validateInner = request.compileValue(INNER);
    const reads = countReads(value);
    validateInner(reads.value);
    return reads.count();
  };
  const big = Array.from({ length: 1_000 }, () => 0);
  const deep = Array.from({ length: 50 }).reduce<object>((a) => ({ a }), big);

  test.each([
    ["const", { const: { x: 1 } }],
    ["enum", { enum: [{ x: 1 }, [2]] }],
    ["an enum of many", { enum: [...Array.from({ length: 300 }, (_, x) => ({ x })), [2]] }],
  ])("is compared with no more of a value than it has: %s", (_, constant) => {
    const union = { anyOf: [constant, { type: "object", properties: { a: INNER } }, { type: "array" }] };
    expect(read(union, deep)).toBeLessThan(20_000);
  });
});

describe("many missing properties", () => {
  const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
  const readsOfList = (schema: object): number => {
    const reads = countReads(Array.from({ length: 2_000 }, () => ({ a: 1 })));
    validator.compileValue({ type: "array", items: schema })(reads.value);
    return reads.count();
  };

  test.each([
    ["required", { required: ["p0"] }, { required: names }],
    ["dependentRequired", { dependentRequired: { a: ["p0"] } }, { dependentRequired: { a: names } }],
  ])("are searched for in objects whose problems are shown: %s", (_, one, hundred) => {
    expect(readsOfList(hundred)).toBeLessThan(readsOfList(one) + 30_000);
  });

  test("are all reported, beside the other problems of their object", () => {
    const validateObject = validator.compileValue({
      required: ["a", "b", "c"],
      dependentRequired: { c: ["d", "e"], f: ["a", "d"], none: [] },
      properties: { c: { type: "string" } },
    });
    expect(validateObject({ c: 1, d: undefined, f: 1, constructor: 1 }).map(toLine)).toEqual([
      "a is required",
      "b is required",
      "c must be a string",
      'd is required beside "c"',
      'e is required beside "c"',
      'a is required beside "f"',
      'd is required beside "f"',
    ]);
    const many = validator.compileValue({ type: "array", items: { required: names } })([{}, {}]);
    expect(many).toHaveLength(100);
    expect(many[0]).toEqual({ path: ["0", "p0"], text: "is required", more: 100 });
  });

  test("are as many in the alternatives of a union", () => {
    const validateUnion = validator.compileValue({
      anyOf: [
        { required: ["a", "b"], properties: { c: { type: "string" }, d: { type: "string" } } },
        { required: ["e"], properties: { c: { type: "string" }, f: { type: "string" } } },
      ],
    });
    expect(validateUnion({ c: 1 }).map(toLine)).toEqual(["e is required", "c must be a string"]);
  });
});

const toLine = ({ path, text }: SchemaProblem): string => `${path.join("/")} ${text}`;

describe("an enum of many values", () => {
  const values = [
    ...Array.from({ length: 300 }, (_, index) => `v${index}`),
    1,
    null,
    true,
    { a: [1] },
    { a: [2] },
  ];
  const isOne = validator.compileValue({ properties: { 'a)"b': { enum: values } } });

  test("accepts each of them", () => {
    expect(values.filter((value) => isOne({ 'a)"b': value }).length > 0)).toEqual([]);
  });

  test.each(["v300", "1", "null", 0, false, [], {}, { a: [3] }, { a: 1 }].map((value) => [value]))(
    "refuses %j",
    (value) => {
      expect(isOne({ 'a)"b': value })).toHaveLength(1);
    },
  );

  test("is reported by its first values", () => {
    const [problem] = isOne({ 'a)"b': "x" });
    expect(problem?.text).toMatch(/^must be one of v0, v1, .*, v\d+ or \d+ others$/);
    expect(problem?.text.length).toBeLessThan(1_000);
  });
});

describe("names that every object has", () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), "a"];
  const toObject = (name: string, value: unknown) =>
    JSON.parse(JSON.stringify({ k: 1, name: value }).replace("name", name)) as object;

  test.each([
    ["allOf", { allOf: [{ properties: { k: {} } }] }],
    [
      "oneOf",
      {
        oneOf: [
          { required: ["k"], properties: { k: {} } },
          { required: ["x"], properties: { x: {} } },
        ],
      },
    ],
    ["anyOf", { anyOf: [{ properties: { k: {} } }, { required: ["x"], properties: { x: {} } }] }],
    ["if", { if: { required: ["k"] }, then: { properties: { k: {} } }, else: { properties: { x: {} } } }],
    ["dependentSchemas", { dependentSchemas: { k: { properties: { k: {} } } } }],
    [
      "patternProperties",
      { allOf: [{ patternProperties: { "^k$": {} } }], anyOf: [{ properties: { x: {} } }] },
    ],
  ])("are unevaluated like others beside %s", (_, schema) => {
    const none = validator.compileValue({ ...schema, unevaluatedProperties: false });
    const integers = validator.compileValue({ ...schema, unevaluatedProperties: { type: "integer" } });
    expect(names.map((name) => none(toObject(name, 1)).map(toLine))).toEqual(
      names.map((name) => [`${name} is unknown`]),
    );
    expect(names.map((name) => integers(toObject(name, "no")).map(toLine))).toEqual(
      names.map((name) => [`${name} must be an integer`]),
    );
  });

  test.each([
    ["const", { const: { a: [1, { b: null }] } }],
    ["enum", { enum: [{ a: [1, { b: null }] }, null] }],
  ])("are compared with those of %s", (_, schema) => {
    const validateOne = validator.compileValue(schema);
    expect(validateOne({ a: [1, { b: null }] })).toEqual([]);
    for (const name of names) {
      expect(validateOne(toObject(name, 1))).toHaveLength(1);
      expect(validateOne({ a: [1, toObject(name, 1)] })).toHaveLength(1);
    }
  });

  test("have their defaults", () => {
    const own = names.filter((name) => name !== "__proto__");
    const properties = Object.fromEntries(own.map((name) => [name, { type: "integer", default: 7 }]));
    const validateDefaults = validator.compileValue({ type: "object", properties });
    const value = {};
    expect(validateDefaults(value)).toEqual([]);
    expect(value).toEqual(Object.fromEntries(own.map((name) => [name, 7])));
    expect(validateDefaults({ toString: 1, a: 2 })).toEqual([]);
  });
});

test("problems of many items behind references are all counted", () => {
  validator.add(
    { type: "object", properties: { inner: { $ref: "contract:S2" } }, required: ["id"] },
    "contract:S2",
  );
  const items = validator.compileValue({ type: "array", items: { $ref: "contract:S2" } });
  const problems = items(Array.from({ length: 1_000 }, () => ({})));
  expect(problems).toHaveLength(100);
  expect(problems[0]).toEqual({ path: ["0", "id"], text: "is required", more: 900 });
  expect(problems[99]).toEqual({ path: ["99", "id"], text: "is required" });
});

test("a long name is cut in problems, also of a union below it, and problems beyond the first 100 are counted", () => {
  const value = { anyOf: [{ type: "string" }, { type: "null" }] };
  const lists = validator.compileValue({ additionalProperties: { type: "array", items: value } });
  const [first, ...rest] = lists({ ["n/".repeat(500)]: Array.from({ length: 1_000 }, () => 1) });
  expect(first).toEqual({
    path: [`${"n/".repeat(32)}…`, "0"],
    text: "must be a string or null",
    more: 900,
  });
  expect(rest).toHaveLength(99);
});
