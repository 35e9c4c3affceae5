import { expect, test } from "@jest/globals";
import { generate } from "./agreement.js";

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
    operations[0]?.validator.request({ parameters: {}, mediaType: "application/json", body });
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
