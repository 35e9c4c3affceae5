import { describe, expect, test } from "@jest/globals";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

const STRING = { type: "string" };
const INTEGER = { type: "integer" };
const SCHEMAS = {
  Cat: {
    type: "object",
    required: ["kind", "lives"],
    properties: { kind: { const: "cat" }, lives: INTEGER },
  },
  Dog: {
    type: "object",
    required: ["kind", "barks"],
    properties: { kind: { const: "dog" }, barks: { type: "boolean" } },
  },
  Circle: { type: "object", required: ["radius"], properties: { radius: { type: "number", minimum: 1 } } },
  Square: { type: "object", required: ["side"], properties: { side: { type: "number", minimum: 1 } } },
  Wide: { type: "object", properties: { a: INTEGER } },
  Wider: { type: "object", properties: { b: INTEGER } },
  Tree: {
    type: "object",
    required: ["left"],
    properties: { left: { anyOf: [{ $ref: "#/components/schemas/Tree" }, INTEGER] } },
  },
};
const ref = (name: keyof typeof SCHEMAS) => ({ $ref: `#/components/schemas/${name}` });
const ANIMAL = { oneOf: [ref("Cat"), ref("Dog")] };
const CLOSED = { type: "object", properties: { a: STRING }, unevaluatedProperties: false };

const ROWS: readonly (readonly [name: string, schema: object, body: unknown, message: string])[] = [
  ["an alternative that a constant tells", ANIMAL, { kind: "cat" }, 'Field "lives" is required'],
  ["its members", ANIMAL, { kind: "dog", barks: 1 }, 'Field "barks" must be a boolean'],
  ["no alternative's constant", ANIMAL, { kind: "cow", lives: 1 }, 'Field "kind" must be one of cat, dog'],
  ["no object", ANIMAL, 7, "The body must be an object"],
  [
    "the closest",
    { oneOf: [ref("Circle"), ref("Square")] },
    { radius: 0 },
    'Field "radius" must be at least 1',
  ],
  [
    "as close as another",
    { oneOf: [ref("Circle"), ref("Square")] },
    {},
    "The body must match one of Circle, Square",
  ],
  [
    "as close as another, without a name",
    {
      oneOf: [
        { type: "object", required: ["a"] },
        { type: "object", required: ["b"] },
      ],
    },
    {},
    'Field "a" is required',
  ],
  ["both of two", { oneOf: [ref("Wide"), ref("Wider")] }, {}, "The body must match only one of Wide, Wider"],
  [
    "both of two without a name",
    { oneOf: [INTEGER, { minimum: 1 }] },
    2,
    "The body must match only one of alternative 1, alternative 2",
  ],
  [
    "other types",
    { anyOf: [STRING, INTEGER, { type: "null" }] },
    true,
    "The body must be a string, an integer or null",
  ],
  [
    "the alternative of its type",
    { anyOf: [{ type: "string", maxLength: 1 }, INTEGER] },
    "ab",
    "The body must not have more than 1 characters",
  ],
  [
    "values of several",
    { anyOf: [{ enum: ["a", "b"] }, { const: "c" }] },
    "d",
    "The body must be one of a, b, c",
  ],
  [
    "a union in a union",
    { anyOf: [{ type: "array", items: ANIMAL }, STRING] },
    [{ kind: "cat" }],
    'Field "0/lives" is required',
  ],
  ["a union deep within itself", ref("Tree"), { left: { left: {} } }, 'Field "left/left/left" is required'],
  [
    "beside other problems",
    { type: "object", required: ["b"], properties: { pet: ANIMAL, a: STRING } },
    { pet: { kind: "cat" }, a: 1 },
    'Field "b" is required; Field "pet/lives" is required; Field "a" must be a string',
  ],
  ["nothing may be there", { anyOf: [false] }, 1, "The body is not allowed"],
  [
    "an unknown property",
    { ...CLOSED, unevaluatedProperties: undefined, additionalProperties: false },
    { b: 1 },
    'Field "b" is unknown',
  ],
  [
    "an unknown property of all parts",
    { allOf: [{ type: "object", properties: { a: STRING } }], unevaluatedProperties: false },
    { a: "x", "b/c": 1 },
    'Field "b/c" is unknown',
  ],
  [
    "a property's name",
    { type: "object", propertyNames: { maxLength: 2 } },
    { abc: 1 },
    'Field "abc" has a name that is not allowed',
  ],
  ["a constant", { const: "v1" }, "v2", "The body must be v1"],
  ["a constant that is no text", { const: { a: null } }, "v2", 'The body must be {"a":null}'],
  ["null among values", { enum: ["a", null] }, "b", "The body must be one of a, null"],
  [
    "twice the same item",
    { type: "array", uniqueItems: true },
    ["a", "b", "a"],
    "The body must not have the same item twice, at 0 and 2",
  ],
  ["one of two types", { type: ["string", "null"] }, 1, "The body must be a string or null"],
  ["a multiple", { type: "integer", multipleOf: 5 }, 7, "The body must be a multiple of 5"],
  [
    "what goes with another",
    { type: "object", dependentRequired: { a: ["b"] } },
    { a: 1 },
    'Field "b" is required beside "a"',
  ],
  [
    "an item too many",
    { type: "array", prefixItems: [STRING], items: false },
    ["a", 1],
    "The body must not have more than 1 items",
  ],
  [
    "a discriminator",
    {
      ...ANIMAL,
      discriminator: { propertyName: "kind", mapping: { cat: ref("Cat").$ref, dog: ref("Dog").$ref } },
    },
    { kind: "cat", lives: "9" },
    'Field "lives" must be an integer',
  ],
  [
    "a discriminator's values",
    {
      ...ANIMAL,
      discriminator: { propertyName: "kind", mapping: { cat: ref("Cat").$ref, dog: ref("Dog").$ref } },
    },
    { kind: "cow" },
    'Field "kind" must be one of cat, dog',
  ],
];

const content = (schema: object) => ({ "application/json": { schema } });
const { operations } = generate(
  Object.fromEntries(
    ROWS.map(([, schema], index) => [
      `/${index}`,
      {
        post: {
          requestBody: { required: true, content: content(schema) },
          responses: { "200": { description: "ok", content: content(schema) } },
        },
      },
    ]),
  ),
  { schemas: SCHEMAS },
);

function refuse(index: number, body: unknown): string {
  try {
    accepted(operations[index]?.validator.request({ parameters: {}, mediaType: "application/json", body }));
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("Nothing was refused");
}

describe("a message says what to change", () => {
  test.each(ROWS.map(([name, , body, message], index) => ({ name, index, body, message })))(
    "$name",
    ({ index, body, message }) => {
      expect(refuse(index, body)).toBe(message);
    },
  );

  test("of a response too", () => {
    const reply = { mediaType: "application/json", kind: "json", body: { kind: "cow" } } as const;
    expect(operations[0]?.validator.response({ status: 200, content: reply, headers: {} })).toEqual([
      "/kind must be one of cat, dog",
    ]);
  });

  test("no default gets into a value that is refused as an alternative", () => {
    const schema = {
      anyOf: [{ type: "object", required: ["a"], properties: { b: { default: 1 }, a: INTEGER } }, INTEGER],
    };
    const [found] = generate({
      "/x": {
        post: { requestBody: { content: content(schema) }, responses: { "204": { description: "No" } } },
      },
    }).operations;
    const body = {};
    expect(() =>
      accepted(found?.validator.request({ parameters: {}, mediaType: "application/json", body })),
    ).toThrow('Field "a" is required');
    expect(body).toEqual({});
  });

  test("a body of thousands of problems is refused", () => {
    const index = ROWS.findIndex(([name]) => name === "a union in a union");
    const body = Array.from({ length: 20_000 }, () => ({ kind: "cat" }));
    expect(refuse(index, body)).toMatch(/^Field "0\/lives" is required;.* and 19990 more$/);
  });
});
