import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/integer-exact";
const MESSAGE =
  "Expected limits from -9007199254740991 to 9007199254740991: larger integers get 400, because JSON parsers round them.";

/** A contract whose parameter has a schema. */
const toContract = (schema: string) => `openapi: 3.1.0
paths:
  /pets:
    get:
      parameters:
        - { name: id, in: query, schema: ${schema} }
`;

test.each([
  ["{ type: integer }", "Add minimum and maximum, or format: int32, or use type: string"],
  ["{ type: integer, format: int64 }", "Add minimum and maximum, or format: int32, or use type: string"],
  ["{ type: [integer, 'null'] }", "Add minimum and maximum, or format: int32, or use type: string"],
  ["{ type: integer, minimum: 1 }", "Add maximum, or format: int32, or use type: string"],
  [
    "{ type: integer, minimum: 1, maximum: 9007199254740992 }",
    "Add maximum, or format: int32, or use type: string",
  ],
  ["{ type: integer, maximum: 0 }", "Add minimum, or format: int32, or use type: string"],
])("integer-exact: %s", async (schema, fix) => {
  expect(await problemsOf(toContract(schema), { rule })).toEqual([`6:34 warn ${MESSAGE} ${fix}.`]);
});

test.each([
  "{ type: integer, minimum: 1, maximum: 9007199254740991 }",
  "{ type: integer, exclusiveMinimum: 0, exclusiveMaximum: 9007199254740992 }",
  "{ type: integer, format: int32 }",
  "{ type: integer, format: int8 }",
  "{ type: integer, format: uint32 }",
  "{ type: integer, minimum: 0, format: uint16 }",
  "{ type: integer, enum: [1, 2] }",
  "{ type: integer, const: 1 }",
  "{ type: number }",
  "{ type: [integer, number] }",
  "{ type: string, format: int64 }",
])("integer-exact: %s is fine", async (schema) => {
  expect(await problemsOf(toContract(schema), { rule })).toEqual([]);
});

test("integer-exact: a schema of many bodies is reported once, and one of responses is not", async () => {
  const source = `openapi: 3.1.0
paths:
  /pets:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses:
        "201": { content: { application/json: { schema: { type: object, properties: { total: { type: integer } } } } } }
    put:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
components:
  schemas:
    Pet:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        age: { type: integer }
`;
  expect(await problemsOf(source, { rule })).toEqual([expect.stringMatching(/^16:9 warn /)]);
});

test("integer-exact: integers that the service sends in webhooks and callbacks need no limits", async () => {
  const source = `openapi: 3.1.0
paths:
  /pets:
    post:
      requestBody: { $ref: "#/components/requestBodies/Both" }
      callbacks:
        moved:
          "{$request.body#/url}":
            post:
              parameters: [{ name: count, in: query, schema: { type: integer } }]
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Move" } } } }
webhooks:
  moved:
    post:
      requestBody: { $ref: "#/components/requestBodies/Sent" }
  both:
    post:
      requestBody: { $ref: "#/components/requestBodies/Both" }
components:
  schemas:
    Move: { type: object, properties: { distance: { type: integer } } }
  requestBodies:
    Sent: { content: { application/json: { schema: { type: array, items: { type: integer } } } } }
    Both: { content: { application/json: { schema: { type: integer } } } }
`;
  expect(await problemsOf(source, { rule })).toEqual([expect.stringMatching(/^24:44 warn /)]);
});

test("integer-exact: the template states its limits", async () => {
  expect(await problemsOf(readFileSync("src/cli/template/openapi/v1.yaml", "utf8"), { rule })).toEqual([]);
});
