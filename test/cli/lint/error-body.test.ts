import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/error-body";
const wanted =
  "Expected the body of an error response to be application/json with a reference to #/components/schemas/Error";

function document(response: string, status = '"400"'): string {
  return `openapi: 3.1.0
components:
  schemas:
    Error: { type: object }
    Pet: { type: object }
  responses:
    Shared: { description: Shared, content: { text/plain: { schema: { type: string } } } }
paths:
  /pets:
    get:
      responses:
        ${status}: ${response}
`;
}

const good = `{ content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }`;
const bad = `{ content: { application/json: { schema: { type: object } } } }`;

test.each([
  { name: "the Error schema by reference passes", response: good, want: [] },
  { name: "no body", response: `{ description: No }`, want: [`12:9 warn ${wanted}; found no body.`] },
  { name: "an inline schema", response: bad, want: [`12:29 warn ${wanted}; found an inline schema.`] },
  {
    name: "no schema",
    response: `{ content: { application/json: {} } }`,
    want: [`12:29 warn ${wanted}; found no schema.`],
  },
  {
    name: "another schema",
    response: `{ content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }`,
    want: [`12:57 warn ${wanted}; found #/components/schemas/Pet.`],
  },
  {
    name: "a reference that cannot be resolved has a problem of its own",
    response: `{ content: { application/json: { schema: { $ref: "#/components/schemas/Erorr" } } } }`,
    want: [],
  },
  {
    name: "another media type",
    response: `{ content: { application/problem+json: { schema: { $ref: "#/components/schemas/Error" } } } }`,
    want: [`12:29 warn ${wanted}; found application/problem+json.`],
  },
  {
    name: "a response component is reported at its own line",
    response: `{ $ref: "#/components/responses/Shared" }`,
    want: [`7:47 warn ${wanted}; found text/plain.`],
  },
])("error-body: $name", async ({ response, want }) => {
  expect(await problemsOf(document(response), { rule })).toEqual(want);
});

test("error-body: the option names another media type", async () => {
  const options = { rule, options: { mediaType: "application/problem+json" } };
  const problem = good.replace("application/json", "application/problem+json");
  expect(await problemsOf(document(problem), options)).toEqual([]);
  expect(await problemsOf(document(good), options)).toEqual([
    `12:29 warn ${wanted.replace("application/json", "application/problem+json")}; found application/json.`,
  ]);
});

test.each([
  { status: '"200"', count: 0 },
  { status: '"399"', count: 0 },
  { status: "2XX", count: 0 },
  { status: '"404"', count: 1 },
  { status: '"503"', count: 1 },
  { status: "4XX", count: 1 },
  { status: "5XX", count: 1 },
  { status: "default", count: 1 },
])("error-body: $status is checked: $count", async ({ status, count }) => {
  expect(await problemsOf(document(bad, status), { rule })).toHaveLength(count);
});

test("error-body: a shared response is reported once", async () => {
  const shared = `{ $ref: "#/components/responses/Shared" }`;
  expect(await problemsOf(document(`${shared}\n        "404": ${shared}`), { rule })).toHaveLength(1);
});

test("error-body: the schema's name is an option", async () => {
  const source = document(good.replace("Error", "Pet"));
  expect(await problemsOf(source, { rule, options: { schema: "Pet" } })).toEqual([]);
});

test("error-body: callbacks and webhooks are exempt", async () => {
  const elsewhere = `post: { responses: { "400": ${bad} } }`;
  const source = `${document(good)}      callbacks:
        done: { "{$request.body#/url}": { ${elsewhere} } }
webhooks:
  sold: { ${elsewhere} }
`;
  expect(await problemsOf(source, { rule })).toEqual([]);
});
