import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/schema-compiles";
const document = (schema: string) => `openapi: 3.1.0
paths: {}
components:
  schemas:
    Name: ${schema}
`;

test.each([
  "{ pattern: '^[a-z]+$' }",
  // Only without the flag `u`, as the runtime reads it.
  "{ pattern: '[a-z\\_]' }",
  "{ patternProperties: { '^x-': {} } }",
  "{ minimum: -1, multipleOf: 0.01 }",
  "{ maximum: 123456789012345678901234567890 }",
  "{ properties: { pattern: { type: string } } }",
])("schema-compiles: %s passes", async (schema) => {
  expect(await problemsOf(document(schema), { rule })).toEqual([]);
});

test.each([
  ["{ pattern: '[' }", '5:22 warn Expected a regular expression; found "[": Unterminated character class.'],
  ["{ not: { pattern: '(' } }", '5:29 warn Expected a regular expression; found "(": Unterminated group.'],
  [
    "{ patternProperties: { '[': {} } }",
    '5:34 warn Expected a regular expression; found "[": Unterminated character class.',
  ],
  ["{ minimum: .nan }", "5:22 warn Expected `minimum` to be a number; found NaN."],
  ["{ exclusiveMaximum: .inf }", "5:31 warn Expected `exclusiveMaximum` to be a number; found Infinity."],
  [
    String.raw`{ properties: { "a\ud800": {} } }`,
    String.raw`5:27 warn Expected a name without lone surrogates; found "a\ud800".`,
  ],
  ["{ multipleOf: 0 }", "5:25 warn Expected `multipleOf` to be above 0; found 0."],
])("schema-compiles: %s is refused", async (schema, want) => {
  expect(await problemsOf(document(schema), { rule })).toEqual([want]);
});
