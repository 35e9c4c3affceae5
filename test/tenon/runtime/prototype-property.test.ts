import { expect, test } from "@jest/globals";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

const STRING = { type: "string" };
const DECLARED = JSON.parse(
  '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"type":"string"}}}',
) as object;
const toPart = (name: string, other: string) => ({
  type: "object",
  required: ["__proto__", other],
  properties: Object.fromEntries<object>([
    ["__proto__", { const: name }],
    [other, STRING],
  ]),
});
const DISCRIMINATED = {
  oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
  discriminator: {
    propertyName: "__proto__",
    mapping: { a: "#/components/schemas/A", b: "#/components/schemas/B" },
  },
};
const CLOSED = { unevaluatedProperties: false };

test.each([
  ["declared", { ...DECLARED, ...CLOSED }, '{"__proto__":"x"}', true],
  ["declared and wrong", { ...DECLARED, ...CLOSED }, '{"__proto__":1}', false],
  ["declared beside another", { ...DECLARED, ...CLOSED }, '{"__proto__":"x","b":1}', false],
  ["declared by a part", { allOf: [DECLARED], ...CLOSED }, '{"__proto__":"x"}', true],
  [
    "declared by an alternative",
    { anyOf: [DECLARED, { type: "object", required: ["z"] }], ...CLOSED },
    '{"__proto__":"x"}',
    true,
  ],
  [
    "declared behind a reference",
    { $ref: "#/components/schemas/Declared", ...CLOSED },
    '{"__proto__":"x"}',
    true,
  ],
  ["not declared", { type: "object", properties: { a: STRING }, ...CLOSED }, '{"__proto__":"x"}', false],
  [
    "declared, and nothing else may be there",
    { ...DECLARED, additionalProperties: false },
    '{"__proto__":"x"}',
    true,
  ],
  ["declared and wrong, of any", DECLARED, '{"__proto__":1}', false],
  ["a discriminator", DISCRIMINATED, '{"__proto__":"a","x":"x"}', true],
  ["a discriminator of another alternative", DISCRIMINATED, '{"__proto__":"b","x":"x"}', false],
  ["a discriminator of no alternative", DISCRIMINATED, '{"__proto__":"c"}', false],
  ["required", { ...DECLARED, required: ["__proto__"] }, "{}", false],
])("a property __proto__ is like any other: %s", (_, schema, text, want) => {
  const content = { "application/json": { schema } };
  const responses = { "200": { description: "ok", content } };
  const [found] = generate(
    { "/x": { post: { requestBody: { content }, responses } } },
    { schemas: { Declared: DECLARED, A: toPart("a", "x"), B: toPart("b", "y") } },
  ).operations;
  const body = JSON.parse(text) as unknown;
  const take = () =>
    accepted(found?.validator.request({ parameters: {}, mediaType: "application/json", body }));
  expect(isThrown(take)).toBe(!want);
  const reply = {
    status: 200,
    content: { mediaType: "application/json", kind: "json", body },
    headers: {},
  } as const;
  expect(found?.validator.response(reply).length === 0).toBe(want);
});

function isThrown(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}
