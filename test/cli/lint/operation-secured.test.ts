import { expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/operation-secured";
const wanted = "Expected every alternative of the operation's security to name a security scheme";

function document(operation: string, root = ""): string {
  return `openapi: 3.1.0
paths:
  /pets:
    get:
      operationId: listPets
      ${operation}
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
${root}
`;
}

test.each([
  { name: "security of its own", operation: "security: [{ key: [] }]", want: [] },
  { name: "the document's security", root: "security: [{ key: [] }]", want: [] },
  { name: "none at all", want: [`4:5 warn ${wanted}; found no security.`] },
  {
    name: "the document's empty list",
    root: "security: []",
    want: [`4:5 warn ${wanted}; found no security.`],
  },
  {
    name: "an empty list over the document's security",
    operation: "security: []",
    root: "security: [{ key: [] }]",
    want: [`6:17 warn ${wanted}; found no security.`],
  },
  {
    name: "an anonymous alternative",
    operation: "security: [{ key: [] }, {}]",
    want: [`6:31 warn ${wanted}; found \`{}\`, which allows anonymous calls.`],
  },
  {
    name: "the document's anonymous alternative",
    root: "security: [{}]",
    want: [`4:5 warn ${wanted}; found \`{}\`, which allows anonymous calls.`],
  },
])("operation-secured: $name", async ({ operation = "summary: List", root = "", want }) => {
  expect(await problemsOf(document(operation, root), { rule })).toEqual(want);
});

test.each(["security: []", "security: [{}]"])(
  "operation-secured: needed, because security-defined accepts %s",
  async (operation) => {
    expect(await problemsOf(document(operation), { rule: "security-defined" })).toEqual([]);
  },
);
