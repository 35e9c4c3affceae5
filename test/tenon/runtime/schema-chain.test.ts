import { expect, test } from "@jest/globals";
import { createValidatorCompiler } from "../../../src/tenon/runtime/validation/validator.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { accepted } from "../../support/accepted.js";

const COUNT = 1_500;

test.each([
  ["chain", false],
  ["circle", true],
])("a %s of schemas that is longer than the validator can compile at once is compiled", (_, isCircle) => {
  const toReference = (number: number) => ({ $ref: `#/components/schemas/S${number}` });
  const links = Array.from({ length: COUNT }, (_, number): [string, object] => [
    `S${number}`,
    {
      type: "object",
      properties: {
        is: { const: number },
        ...((isCircle || number + 1 < COUNT) && { next: toReference((number + 1) % COUNT) }),
      },
      unevaluatedProperties: false,
    },
  ]);
  const contract = buildContract({
    openapi: "3.1.0",
    info: { title: "Chain", version: "1" },
    paths: {
      "/": {
        post: {
          operationId: "run",
          requestBody: { content: { "application/json": { schema: toReference(0) } } },
          responses: { "204": { description: "Done." } },
        },
      },
    },
    components: { schemas: Object.fromEntries(links) },
  });
  const compile = createValidatorCompiler(contract);
  const [operation] = contract.operations;
  const validator = operation && compile(operation);
  const validate = (body: unknown) =>
    accepted(validator?.request({ parameters: {}, mediaType: "application/json", body }));
  expect(validate({ is: 0, next: { is: 1, next: { is: 2 } } })).toBeDefined();
  expect(() => validate({ is: 0, next: { is: 1, next: { is: 3 } } })).toThrow('"next/next/is" must be 2');
  expect(() => validate({ is: 0, next: { is: 1, other: 1 } })).toThrow('"next/other" is unknown');
});
