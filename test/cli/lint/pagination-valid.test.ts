import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/pagination-valid";

const document = (pagination: string): string => `openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
      x-pagination: ${pagination}
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        "200":
          description: A page.
          headers: { X-Next: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Page" } } }
components:
  schemas:
    Page:
      type: object
      properties:
        data: { type: array, items: { type: string } }
        meta: { allOf: [{ type: object }] }
        next: { type: string }
`;

test.each([
  ["{ style: cursor, parameter: cursor, items: /data, next: /next }", []],
  ["{ style: cursor, parameter: cursor, items: /data, nextHeader: x-next, x-note: kept }", []],
  ["{ items: /data, next: /meta/links/next }", []],
  ["{ style: offset, parameter: cursor, items: /data }", []],
  ["{ style: page, parameter: cursor, items: /data, first: 0 }", []],
  ["yes", ["6:7 warn `x-pagination` must be an object, for example { style: cursor }"]],
  ["{ items: /data, next: /next, limit: 5 }", ['6:57 warn `x-pagination` has an unknown member "limit".']],
  [
    "{ style: cursors, items: /data, next: /next }",
    ['6:30 warn Expected `style` of `x-pagination` to be link, cursor, offset, page; found "cursors".'],
  ],
  [
    "{ items: /next, next: /next }",
    [
      '6:30 warn Expected `items` of `x-pagination` to be a JSON pointer to an array in the body; found "/next".',
    ],
  ],
  [
    "{ next: /next }",
    [
      "6:7 warn Expected `items` of `x-pagination` to be a JSON pointer to an array in the body; found nothing.",
    ],
  ],
  [
    "{ style: cursor, parameter: after, items: /data, next: /after }",
    [
      '6:49 warn Expected `parameter` of `x-pagination` to be the name of a query parameter of the operation; found "after".',
      '6:76 warn Expected `next` of `x-pagination` to be a JSON pointer to a property of the body; found "/after".',
    ],
  ],
  [
    "{ items: /data, nextHeader: Next }",
    [
      '6:49 warn Expected `nextHeader` of `x-pagination` to be a header of the successful response; found "Next".',
    ],
  ],
  [
    "{ items: /data }",
    [
      "6:7 warn Expected `next` of `x-pagination` to be a JSON pointer, unless the response declares the header `Link`; found nothing.",
    ],
  ],
])("pagination-valid: %s", async (pagination, want) => {
  expect(await problemsOf(document(pagination), { rule })).toEqual(want);
});
