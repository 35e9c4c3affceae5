import { expect, test } from "@jest/globals";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

const isMultiple = (divisor: number) => {
  const validate = createEov().request.compileValue({ multipleOf: divisor });
  return (value: number) => validate(value).length === 0;
};

test.each([
  [1e10, 2e10, 1],
  [1e10, 0, 10_000_000_001],
  [9007199254740991, -9007199254740991, 1],
  [1e9, 3e9, 1.5],
  [1e12, 7e12, 500],
  [1e6, 1e6, 0.001],
  [0.01, 19.99, 0.01000000001],
  [1e-7, 3e-7, 1.5e-7],
  [0.5, 1e300, 0.25],
  [1e-300, 2e-300, 1.5e-300],
])("multiples of %d: %d is one, and %d is not", (divisor, multiple, other) => {
  expect(isMultiple(divisor)(multiple)).toBe(true);
  expect(isMultiple(divisor)(other)).toBe(false);
});

const { operations } = generate({
  "/": {
    post: {
      operationId: "op0",
      requestBody: { content: { "application/json": { schema: { type: "number", multipleOf: 0.01 } } } },
      responses: { "204": { description: "Done." } },
    },
  },
});

const accepts = (body: number): boolean => {
  try {
    accepted(operations[0]?.validator.request({ parameters: {}, mediaType: "application/json", body }));
    return true;
  } catch {
    return false;
  }
};

test.each([19.99, 0.07, 0.3, 4.35, 1e6 + 0.01])("%d is a multiple of 0.01", (price) => {
  expect(accepts(price)).toBe(true);
});

test.each([0.001, 19.995, 0.0101])("%d is not a multiple of 0.01", (price) => {
  expect(accepts(price)).toBe(false);
});
