import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/errors-declared";

const found = (wanted: string) => `Expected ${wanted}, which the runtime sends by itself; found none.`;
const error = "{ content: { application/json: {} } }";
const success = '"200": { content: { application/json: {} } }';
const body = "requestBody: { content: { application/json: {} } }";

test.each([
  {
    name: "nothing but a success",
    operation: `{ responses: { ${success} } }`,
    want: [found("a response for 400, 406")],
  },
  {
    name: "a success without content is not negotiated",
    operation: `{ responses: { "204": { description: No } } }`,
    want: [found("a response for 400")],
  },
  {
    name: "a body",
    operation: `{ ${body}, responses: { "204": { description: No }, "400": ${error} } }`,
    want: [found("a response for 413, 415")],
  },
  {
    name: "security, the operation's own",
    operation: `{ security: [{ a: [] }], responses: { "204": { description: No }, "400": ${error} } }`,
    want: [found("a response for 401")],
  },
  {
    name: "security, the document's",
    root: "security: [{ a: [] }]",
    operation: `{ responses: { "204": { description: No }, "400": ${error} } }`,
    want: [found("a response for 401")],
  },
  {
    name: "an operation that allows anonymous calls, or has no security, refuses no one",
    root: "security: [{ a: [] }]",
    operation: `{ security: [{ a: [] }, {}], responses: { "204": { description: No }, "400": ${error} } }`,
    want: [],
  },
  {
    name: "a sunset",
    operation: `{ x-sunset: 2030-01-01, responses: { "204": { description: No }, "400": ${error} } }`,
    want: [found("a response for 410")],
  },
  {
    name: "parts of bytes",
    operation: `{ responses: { "200": { content: { a/b: {} } }, "206": { content: { a/b: {} } }, "400": ${error}, "406": ${error} } }`,
    want: [found("a response for 416")],
  },
  {
    name: "each by its code",
    operation: `{ ${body}, responses: { ${success}, ${["400", "406", "413", "415"].map((code) => `"${code}": ${error}`).join(", ")} } }`,
    want: [],
  },
  { name: "a range", operation: `{ ${body}, responses: { ${success}, 4XX: ${error} } }`, want: [] },
  { name: "`default`", operation: `{ ${body}, responses: { ${success}, default: ${error} } }`, want: [] },
  {
    name: "`default` is the success where there is no other",
    operation: `{ responses: { default: ${error} } }`,
    want: [found("a response for 400")],
  },
  {
    name: "an error without a body",
    operation: `{ ${body}, responses: { ${success}, "400": { description: No }, "415": { $ref: "#/components/responses/Bare" }, 4XX: ${error} } }`,
    want: [found("a body for 400, 415")],
  },
  {
    name: "both in one line",
    operation: `{ responses: { ${success}, "400": { description: No } } }`,
    want: [found("a response for 406 and a body for 400")],
  },
  {
    name: "an operation whose contract is not written yet",
    operation: `{ ${body}, responses: { "501": { description: Later } } }`,
    want: [],
  },
])("errors-declared: $name", async ({ root = "security: []", operation, want }) => {
  const document = `openapi: 3.1.0
${root}
components: { responses: { Bare: { description: Bare } } }
paths:
  /pets:
    get: ${operation}
`;
  const problems = await problemsOf(document, { rule });
  expect(problems.map((problem) => problem.replace(/^6:\d+ warn /, ""))).toEqual(want);
});
