import { expect, test } from "@jest/globals";
import { generate } from "./agreement.js";

const STRING = { type: "string" };
const INTEGER = { type: "integer" };

// JSON Schema 2020-12, section 11.2: `contains` evaluates the items that match it.
test.each([
  ["others are refused", { contains: STRING, unevaluatedItems: false }, ["a", "b"], ["a", 1]],
  ["others match a schema", { contains: STRING, unevaluatedItems: INTEGER }, ["a", 1], ["a", null]],
  ["with none at least", { contains: STRING, minContains: 0, unevaluatedItems: false }, ["a"], [1]],
  [
    "with two at least",
    { contains: STRING, minContains: 2, maxContains: 3, unevaluatedItems: INTEGER },
    ["a", 1, "b"],
    ["a", 1],
  ],
  [
    "after the first items",
    { prefixItems: [INTEGER], contains: STRING, unevaluatedItems: false },
    [1, "a"],
    [1, "a", 2],
  ],
  [
    "beside alternatives",
    { anyOf: [{ prefixItems: [INTEGER] }, INTEGER], contains: STRING, unevaluatedItems: false },
    [1, "a"],
    [null, "a"],
  ],
  ["any item", { contains: true, unevaluatedItems: false }, [1, "a"], []],
  ["within a part", { allOf: [{ contains: STRING }], unevaluatedItems: false }, ["a", "b"], [1]],
])("unevaluatedItems beside contains: %s", (_, schema, valid, invalid) => {
  const content = { "application/json": { schema } };
  const [operation] = generate({ "/": { post: { requestBody: { content }, responses: {} } } }).operations;
  const accepts = (body: unknown) => {
    try {
      operation?.validator.request({ parameters: {}, mediaType: "application/json", body });
      return true;
    } catch {
      return false;
    }
  };
  expect(accepts(valid)).toBe(true);
  expect(accepts(invalid)).toBe(false);
});
