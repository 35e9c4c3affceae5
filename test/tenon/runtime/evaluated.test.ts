// @thorough: compares thousands of generated values.
import { afterAll, expect, test } from "@jest/globals";
import { createValidator, type Validator } from "../../../src/cli/verify/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createValidatorCompiler } from "../../../src/tenon/runtime/validation/validator.js";
import { accepted } from "../../support/accepted.js";
import { toCount } from "../../support/to-count.js";

const STRING = { type: "string" };
const INTEGER = { type: "integer" };

type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Compiles schemas for the bodies of requests. */
function compile(schemas: readonly JsonSchema[], components: Readonly<Record<string, JsonSchema>> = {}) {
  const paths = schemas.map((schema, index) => [
    `/${index}`,
    { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } },
  ]);
  const contract = buildContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: Object.fromEntries(paths) as object,
    components: { schemas: components },
  });
  const toValidator = createValidatorCompiler(contract);
  const accepts = contract.operations.map((operation) => {
    const validator = toValidator(operation);
    return (body: unknown): boolean => {
      try {
        accepted(
          validator.request({ parameters: {}, mediaType: "application/json", body: structuredClone(body) }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "HttpError") throw error;
        return false;
      }
    };
  });
  return { contract, accepts };
}

const K_ALONE = { unevaluatedProperties: false };
const toKind = (kind: string) => ({ required: ["k"], properties: { k: { const: kind } } });

// Each of these was wrong in the validator or in the way its schemas are written.
test.each<[string, JsonSchema, readonly unknown[], readonly unknown[]]>([
  [
    "contains in the second of two items",
    { type: "array", items: { type: "object", properties: { roles: { contains: { const: "owner" } } } } },
    [[{ roles: ["owner"] }]],
    [[{ roles: ["owner"] }, { roles: [] }]],
  ],
  [
    "names that only a failed alternative declares",
    {
      type: "object",
      oneOf: [{ ...toKind("x"), anyOf: [{ properties: { admin: {} } }] }, toKind("y")],
      ...K_ALONE,
    },
    [{ k: "y" }, { k: "x", admin: 1 }],
    [{ k: "y", admin: true }],
  ],
  [
    "patterns of a failed alternative",
    {
      type: "object",
      oneOf: [
        { required: ["a"], patternProperties: { "^x-": INTEGER } },
        { required: ["k"], properties: { k: {} } },
      ],
      ...K_ALONE,
    },
    [{ k: 1 }],
    [{ k: 1, "x-1": 1 }],
  ],
  [
    "a condition that is not met",
    {
      type: "object",
      if: { additionalProperties: { type: "array" } },
      then: { properties: { v: {} } },
      ...K_ALONE,
    },
    [{ v: [] }, {}],
    [{ v: 1 }],
  ],
  [
    "a condition alone",
    { type: "object", if: { additionalProperties: { type: "array" } }, ...K_ALONE },
    [{ v: [1] }],
    [{ v: 1 }],
  ],
  [
    "patterns beside alternatives",
    {
      type: "object",
      anyOf: [{ required: ["name"] }, { additionalProperties: STRING }],
      patternProperties: { "^x-": STRING },
    },
    [{ name: 1, "x-1": "a" }],
    [{ "x-1": 1 }],
  ],
  [
    "items of one of two alternatives",
    { type: "array", anyOf: [{ items: STRING }, { prefixItems: [INTEGER] }], unevaluatedItems: false },
    [["a", "b"], [1]],
    [[1, "a"]],
  ],
  [
    "an empty array in a condition",
    { if: { prefixItems: [STRING], contains: INTEGER }, then: false },
    [[], ["a"]],
    [["a", 1]],
  ],
  [
    "names of an empty object in a negation",
    { not: { type: "object", propertyNames: { maxLength: 1 }, required: ["b"] } },
    [{}, { bb: 1 }],
    [{ b: 1 }],
  ],
  ["null in both alternatives", { oneOf: [{ type: "null" }, { type: ["string", "null"] }] }, ["a"], [null]],
  ["null in one alternative", { oneOf: [{ type: "null" }, STRING] }, ["a", null], [1]],
  [
    "an empty name that is required",
    { type: "object", required: ["", "a"] },
    [{ "": 1, a: 1 }],
    [{ a: 1 }, { "": 1 }],
  ],
  [
    "an empty name beside another",
    { type: "object", dependentRequired: { a: ["", "b"] } },
    [{ b: 1 }],
    [{ a: 1, b: 1 }],
  ],
  ["const and enum that exclude each other", { const: 1, enum: [2] }, [], [1, 2]],
  ["const within enum", { const: 1, enum: [1, 2] }, [1], [2]],
  ["contains of others", { contains: STRING, unevaluatedItems: false }, [["a", "b"]], [["a", 1]]],
  [
    "contains beside a schema of others",
    { contains: STRING, unevaluatedItems: INTEGER },
    [["a", 1]],
    [["a", null]],
  ],
  ["contains none", { contains: STRING, minContains: 0, unevaluatedItems: false }, [["a"], []], [[1]]],
  [
    "contains two or three",
    { contains: STRING, minContains: 2, maxContains: 3, unevaluatedItems: INTEGER },
    [["a", 1, "b"]],
    [
      ["a", 1],
      ["a", "b", "c", "d"],
    ],
  ],
  [
    "contains after the first items",
    { prefixItems: [INTEGER], contains: STRING, unevaluatedItems: false },
    [[1, "a"]],
    [[1, "a", 2]],
  ],
  [
    "contains within a part",
    { allOf: [{ contains: STRING }], unevaluatedItems: false },
    [["a", "b"]],
    [["a", 1]],
  ],
  [
    "a schema that depends on a member, of an array",
    { dependentSchemas: { length: { items: true }, 0: { items: true } }, unevaluatedItems: false },
    [[], { length: 1 }],
    [[1]],
  ],
])("%s", (_, schema, valid, invalid) => {
  const [accepts] = compile([schema]).accepts;
  for (const value of valid) expect([value, accepts?.(value)]).toEqual([value, true]);
  for (const value of invalid) expect([value, accepts?.(value)]).toEqual([value, false]);
});

// Redocly's fork of the validator, which may be installed in its place, kept objects that a reference had refused.
test("an object that is sent twice is validated twice", () => {
  const next = { $ref: "#/components/schemas/Open" };
  const schema = { not: next };
  const responses = { "200": { description: "An object.", content: { "application/json": { schema } } } };
  const contract = buildContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: { "/": { get: { responses } } },
    components: { schemas: { Open: { type: "object", required: ["open"], properties: { next } } } },
  });
  const [operation] = contract.operations;
  const validator = operation && createValidatorCompiler(contract)(operation);
  const content = { mediaType: "application/json", kind: "json", body: {} } as const;
  for (let count = 0; count < 2; count += 1)
    expect(validator?.response({ status: 200, content, headers: {} })).toEqual([]);
});

/** Numbers from 0 to below a limit, the same on every machine. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const NAMES = ["a", "b", "x-1", "__proto__", "toString", ""];

function createMaker(random: (limit: number) => number) {
  const pick = <Item>(list: readonly Item[]): Item => list[random(list.length)] as Item;
  const some = <Item>(list: readonly Item[]): Item[] => list.filter(() => random(3) === 0);
  const few = <Item>(make: () => Item): Item[] => Array.from({ length: 1 + random(2) }, make);

  function toValue(depth: number): unknown {
    const kind = random(depth > 0 ? 8 : 4);
    if (kind < 4) return pick([null, true, 0, 1, 2, "", "a", "bb"]);
    if (kind < 6) return Array.from({ length: random(4) }, () => toValue(depth - 1));
    return Object.fromEntries(some(NAMES).map((name) => [name, toValue(depth - 1)]));
  }

  function toSchema(depth: number): JsonSchema {
    const inner = (): JsonSchema => toSchema(depth - 1);
    const named = () => Object.fromEntries(some(NAMES).map((name) => [name, inner()]));
    const leaves: readonly (() => Record<string, unknown>)[] = [
      () => ({ type: pick(["string", "integer", "object", "array", "null", "boolean"]) }),
      () => ({ type: ["object", "array", pick(["string", "null"])] }),
      () => ({ enum: [toValue(1), toValue(1)] }),
      () => ({ const: toValue(1) }),
      () => ({ required: some(NAMES) }),
      () => ({ minItems: random(3) }),
      () => ({ uniqueItems: true }),
      () => ({ maxProperties: 1 + random(2) }),
      () => ({ dependentRequired: { [pick(NAMES)]: some(NAMES) } }),
      () => ({ $ref: `#/components/schemas/${pick(["A", "B", "Tree"])}` }),
    ];
    const nodes: readonly (() => Record<string, unknown>)[] = [
      () => ({ properties: named() }),
      () => ({ patternProperties: { [pick(["^x-", "^[ab]"])]: inner() } }),
      () => ({ additionalProperties: inner() }),
      () => ({ propertyNames: { maxLength: random(4) } }),
      () => ({ dependentSchemas: { [pick(NAMES)]: inner() } }),
      () => ({ prefixItems: few(inner) }),
      () => ({ items: inner() }),
      () => ({
        contains: inner(),
        ...pick([{}, { minContains: random(3) }, { maxContains: 1 + random(2) }]),
      }),
      () => ({ allOf: few(inner) }),
      () => ({ anyOf: few(inner) }),
      () => ({ oneOf: [inner(), inner()] }),
      () => ({ not: inner() }),
      () => ({ if: inner(), ...pick([{ then: inner() }, { else: inner() }, {}]) }),
    ];
    if (random(12) === 0) return random(2) === 0;
    const parts = few(() => pick(depth > 0 ? [...leaves, ...nodes, ...nodes] : leaves)());
    const rest = pick([false, false, true, depth > 0 ? inner() : false]);
    const closing = pick([{}, {}, { unevaluatedProperties: rest }, { unevaluatedItems: rest }]);
    return Object.assign({}, ...parts, closing) as JsonSchema;
  }

  return { toSchema, toValue };
}

const COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  A: { type: "object", properties: { a: INTEGER }, patternProperties: { "^x-": STRING } },
  B: { anyOf: [{ prefixItems: [INTEGER] }, { required: ["b"], properties: { b: {} } }] },
  Tree: {
    anyOf: [{ properties: { a: { $ref: "#/components/schemas/Tree" } } }, { required: ["b"] }],
    unevaluatedProperties: STRING,
  },
};

let independent: Validator | undefined;
afterAll(() => independent?.close());

const seeds = Array.from({ length: toCount(2) }, (_, seed) => seed + 1);

test.each(seeds)("an independent validator accepts the same values, seed %d", async (seed) => {
  const { toSchema, toValue } = createMaker(createRandom(seed));
  const schemas = Array.from({ length: 80 }, () => toSchema(3));
  const { contract, accepts } = compile(schemas, COMPONENTS);
  const validator = createValidator({ registry: contract.registry, side: "request" });
  independent = validator;
  const bodies = contract.operations.flatMap(({ requestBody }) => requestBody?.mediaTypes[0]?.schema ?? []);
  await validator.prepare(bodies);
  const wrong: unknown[] = [];
  let valid = 0;
  for (const [index, body] of bodies.entries())
    for (let count = 0; count < 40; count += 1) {
      const value = toValue(3);
      const wanted = validator.find(body, value) === undefined;
      if (wanted) valid += 1;
      if (accepts[index]?.(value) !== wanted)
        wrong.push({ schema: JSON.stringify(schemas[index]), value: JSON.stringify(value), wanted });
    }
  validator.close();
  expect(valid).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});
