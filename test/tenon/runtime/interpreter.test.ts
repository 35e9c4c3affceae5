// @thorough: compiles hundreds of schemas.
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, test } from "@jest/globals";
import type { JsonSchema } from "../../../src/tenon/core/schema/index.js";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { INTERPRETED_FORMATS } from "../../../src/tenon/runtime/validation/interpreter/formats.js";
import { createInterpreter } from "../../../src/tenon/runtime/validation/interpreter/interpreter.js";
import type { SideValidator, Validators } from "../../../src/tenon/runtime/validation/side-validator.js";

const NAMES = ["a", "b", "c", "a/~", "constructor", "x".repeat(70)];

/** Values that the keywords below tell apart. */
const leaf = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  1.5,
  -3,
  10,
  "",
  "a",
  "ab",
  "abc",
  "😀",
  "2026-02-30",
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];
const PATTERNS = ["^a", "b$", "^.{2}$"];

const schema = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const inner = tie("schema");
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const members = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3 });
  const size = fc.integer({ min: 0, max: 3 });
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 });
  const optional = (keywords: Readonly<Record<string, Arbitrary<unknown>>>) =>
    fc.record(keywords, { requiredKeys: [] });
  const anyType = optional({
    type: fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 2, maxLength: 3 }),
    ),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    $ref: fc.constantFrom("contract:S0:A", "contract:S1:B"),
    default: leaf,
  });
  const combined = optional({
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
  });
  const plain = optional({
    maximum: size,
    minimum: size,
    exclusiveMaximum: size,
    exclusiveMinimum: size,
    multipleOf: fc.constantFrom(0.5, 2, 3),
    maxLength: size,
    minLength: size,
    pattern: fc.constantFrom(...PATTERNS),
    format: fc.constantFrom("date", "int32", "uuid", "email", "unknown"),
  });
  const lists = optional({
    maxItems: size,
    minItems: size,
    uniqueItems: fc.boolean(),
    items: inner,
    prefixItems: list,
    contains: inner,
    minContains: size,
    maxContains: size,
    unevaluatedItems: inner,
  });
  const objects = optional({
    maxProperties: size,
    minProperties: size,
    required: names,
    properties: members,
    additionalProperties: inner,
    patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), inner, { maxKeys: 2 }),
    propertyNames: inner,
    dependentRequired: fc.dictionary(fc.constantFrom(...NAMES), names, { maxKeys: 2 }),
    dependentSchemas: members,
    unevaluatedProperties: inner,
  });
  const parts = fc.tuple(anyType, fc.oneof(plain, lists, objects, objects), fc.option(combined, { nil: {} }));
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.boolean(),
      plain,
      parts.map((all): JsonSchema => Object.assign({}, ...all) as JsonSchema),
    ),
  };
}).schema;

function compile(validators: Validators, side: "request" | "response", schemas: readonly JsonSchema[]) {
  const validator: SideValidator = validators[side];
  const [own = true, a = true, b = true] = schemas;
  validator.add(a, "contract:S0:A");
  validator.add(b, "contract:S1:B");
  return validator.compileValue(own);
}

/** A schema that refers to itself for the same value has no end. */
const isWithoutReference = (one: JsonSchema): boolean => !JSON.stringify(one).includes("$ref");
const component = schema.filter(isWithoutReference);
const referring = schema.map((own): JsonSchema => ({
  properties: { a: own, b: { $ref: "contract:S0:A", default: {} } },
}));

describe.each(["request", "response"] as const)("interpreted validators of a %s", (side) => {
  test("have the problems and defaults of compiled ones", () => {
    fc.assert(
      fc.property(
        schema,
        component,
        fc.oneof(
          component,
          referring.filter((one) => !JSON.stringify(one).includes("S1")),
        ),
        fc.array(value, { minLength: 1, maxLength: 8 }),
        (own, a, b, values) => {
          const wanted = compile(createEov(), side, [own, a, b]);
          const found = compile(createInterpreter(), side, [own, a, b]);
          for (const one of values) {
            const [left, right] = [structuredClone(one), structuredClone(one)];
            expect({ problems: found(right), value: right }).toEqual({ problems: wanted(left), value: left });
          }
        },
      ),
      {
        seed: Number(process.env["INTERPRETER_SEED"] ?? 1),
        numRuns: Number(process.env["INTERPRETER_RUNS"] ?? 100),
      },
    );
  });
});

test("interpreted validators have the formats of compiled ones", () => {
  expect(Object.keys(INTERPRETED_FORMATS)).toContain("uuid");
});
