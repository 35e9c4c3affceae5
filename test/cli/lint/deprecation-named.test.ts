import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/deprecation-named";

function document(operation: string): string {
  return `openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
  /pets/{petId}:
    get:
      operationId: getPet
      ${operation}
`;
}

test.each([
  {
    name: "a deprecation that names everything passes",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2030-12-05", x-replaced-by: listPets }`,
    want: [],
  },
  {
    name: "date-times pass, and the end may be the start",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21T01:00:00+01:00", x-sunset: "2026-11-21T00:00:00Z", x-replaced-by: listPets }`,
    want: [],
  },
  { name: "an operation that is not deprecated passes", operation: `{ summary: Get }`, want: [] },
  {
    name: "each missing extension is reported on `deprecated`",
    operation: `{ deprecated: true }`,
    want: [
      "9:7 Expected `x-deprecated-since` on a deprecated operation; found none.",
      "9:7 Expected `x-sunset` on a deprecated operation; found none.",
      "9:7 Expected `x-replaced-by` on a deprecated operation; found none.",
    ],
  },
  {
    name: "a day that no calendar has is refused",
    operation: `{ deprecated: true, x-deprecated-since: 2026, x-sunset: "2030-02-30", x-replaced-by: listPets }`,
    want: [
      '10:27 Expected `x-deprecated-since` to be an RFC 3339 full-date or date-time, for example "2030-12-05"; found 2026.',
      '11:17 Expected `x-sunset` to be an RFC 3339 full-date or date-time, for example "2030-12-05"; found "2030-02-30".',
    ],
  },
  {
    name: "a sunset before the deprecation is refused",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2026-11-20", x-replaced-by: listPets }`,
    want: ["11:17 Expected `x-sunset` not to be before `x-deprecated-since`, 2026-11-21; found 2026-11-20."],
  },
  {
    name: "a successor that does not exist is refused",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2030-12-05", x-replaced-by: GET /pets }`,
    want: [
      '12:22 Expected `x-replaced-by` to be the operationId of another operation in this document, or a URL such as /v2/pets; found "GET /pets".',
    ],
  },
  ...["https://api.example.com/v2/pets", "/v2/pets/{petId}", "../v2/pets"].map((url) => ({
    name: `a URL, ${url}, may be a successor`,
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2030-12-05", x-replaced-by: ${url} }`,
    want: [],
  })),
  {
    name: "a URL of another scheme is refused",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2030-12-05", x-replaced-by: "javascript:alert(1)" }`,
    want: [
      '12:22 Expected `x-replaced-by` to be the operationId of another operation in this document, or a URL such as /v2/pets; found "javascript:alert(1)".',
    ],
  },
  {
    name: "an operation cannot replace itself",
    operation: `{ deprecated: true, x-deprecated-since: "2026-11-21", x-sunset: "2030-12-05", x-replaced-by: getPet }`,
    want: [
      '12:22 Expected `x-replaced-by` to be the operationId of another operation in this document, or a URL such as /v2/pets; found "getPet".',
    ],
  },
  {
    name: "a sunset without `deprecated` is refused",
    operation: `{ x-sunset: "2030-12-05" }`,
    want: ["9:7 Expected `deprecated: true` beside `x-sunset`; the operation is not deprecated."],
  },
])("deprecation-named: $name", async ({ operation, want }) => {
  const lines = operation.slice(2, -2).split(", ").join("\n      ");
  expect(await problemsOf(document(lines), { rule })).toEqual(
    want.map((line) => line.replace(" ", " warn ")),
  );
});

test("deprecation-named: what parameters, headers and properties say must make sense, and may be nothing", async () => {
  const source = `openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: a, in: query, deprecated: true, schema: { deprecated: true } }
        - { name: b, in: query, deprecated: true, x-replaced-by: a, x-sunset: 2030-12-05, schema: {} }
        - { name: c, in: query, x-sunset: 2030-12-05, schema: {} }
      responses:
        "200":
          headers:
            X-A: { deprecated: true, x-replaced-by: [], schema: {} }
          content:
            application/json:
              schema:
                properties:
                  d: { deprecated: true, x-deprecated-since: 2031-01-01, x-sunset: 2030-12-05 }
                  e: { deprecated: true, x-sunset: soon }
`;
  expect(await problemsOf(source, { rule })).toEqual([
    "9:33 warn Expected `deprecated: true` beside `x-sunset`; the parameter is not deprecated.",
    "13:53 warn Expected `x-replaced-by` to be the name of what to use instead; found [].",
    "18:84 warn Expected `x-sunset` not to be before `x-deprecated-since`, 2031-01-01; found 2030-12-05.",
    '19:52 warn Expected `x-sunset` to be an RFC 3339 full-date or date-time, for example "2030-12-05"; found "soon".',
  ]);
});

test("deprecation-named: `required` leaves the other extensions optional", async () => {
  const source = document(`deprecated: true\n      x-sunset: "2030-12-05"`);
  expect(await problemsOf(source, { rule, options: { required: ["x-sunset"] } })).toEqual([]);
});
