import { expect, test } from "@jest/globals";
import { GENERATED_VERSION } from "../../../src/tenon/core/version/index.js";
import { emitClient, toClientOperation } from "../../../src/cli/generate/client.js";
import { emitValue } from "../../../src/cli/generate/text.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { toContract } from "./contract.js";
import { testEmit } from "./given-want.js";

function emit(document: Readonly<Record<string, unknown>>, marked = false): string {
  return emitClient(toContract(document), { source: "openapi.yaml", marked });
}

const toDocument = (operation: object, components: object = {}, more: object = {}) => ({
  openapi: "3.1.0",
  paths: { "/a": { post: { responses: { "200": { description: "" } }, ...operation } } },
  components,
  ...more,
});

const toTable = (document: Readonly<Record<string, unknown>>): string =>
  /const contract: ClientContract = (.*?);\n\n/s.exec(emit(document))?.[1] ?? "";

const json = { "application/json": { schema: {} } };
const LIST = { type: "array", items: { type: "string" } };
const parameter = (place: string, name: string, more: object) => ({
  name,
  in: place,
  required: true,
  ...more,
});
const text = { schema: { type: "string" } };
const list = { schema: { type: "array", items: { type: "string" } } };

function toOperation(operation: object): string {
  const { operations } = buildContract(toDocument(operation));
  return operations.map((built) => emitValue(toClientOperation(built, []), "", -1_000)).join("");
}

testEmit<object>("client.ts: operations", toOperation, [
  [
    "JSON is not mentioned",
    { responses: { "200": { description: "", content: json } }, requestBody: { content: json } },
    "{ responses: [200] }",
  ],
  [
    "other media types are, and that there is nothing",
    {
      responses: {
        "204": { description: "" },
        "4XX": { description: "", content: { "application/problem+json": {} } },
        default: { description: "", content: { ...json, "text/csv": {} } },
      },
    },
    '{ responses: [[204], ["4XX", "application/problem+json"], ["default", "application/json", "text/csv"]] }',
  ],
  [
    "media types of a body",
    { requestBody: { content: { ...json, "image/*": {} } } },
    '{ responses: [[200]], mediaTypes: ["application/json", "image/*"] }',
  ],
  [
    "parameters as they are by default",
    {
      parameters: [
        parameter("query", "a", list),
        parameter("header", "b", list),
        parameter("cookie", "c", list),
        parameter("query", "d", { explode: false, ...text }),
      ],
    },
    "{ responses: [[200]] }",
  ],
  [
    "parameters that differ",
    {
      parameters: [
        parameter("query", "a", { explode: false, ...list }),
        parameter("query", "b", { style: "pipeDelimited", ...list }),
        parameter("header", "c", { content: json }),
      ],
    },
    '{ responses: [[200]], parameters: { "query/a": { explode: false }, "query/b": { style: "pipeDelimited" }, "header/c": { style: "json" } } }',
  ],
  [
    "fields of forms that are not written as usual",
    {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: { a: LIST, b: LIST, c: LIST, d: { type: "object" } },
            },
            encoding: {
              a: { style: "form", explode: false },
              b: { style: "spaceDelimited" },
              c: {},
              d: { style: "deepObject" },
            },
          },
        },
      },
    },
    '{ responses: [[200]], mediaTypes: ["multipart/form-data"], fields: { a: { explode: false }, b: { style: "spaceDelimited" }, d: { style: "deepObject" } } }',
  ],
]);

test("client.ts: has every scheme that a request can carry, and what most operations want", () => {
  const securitySchemes = {
    a: { type: "http", scheme: "bearer" },
    b: { type: "http", scheme: "basic" },
    c: { type: "apiKey", in: "cookie", name: "C" },
    d: { $ref: "#/components/securitySchemes/e" },
    e: { type: "openIdConnect", openIdConnectUrl: "https://x" },
    f: { type: "mutualTLS" },
  };
  const responses = { "204": { description: "" } };
  const paths = { "/a": { get: { responses }, put: { responses }, post: { responses, security: [] } } };
  const document = { ...toDocument({}, { securitySchemes }), paths, security: [{ a: [], c: [] }, {}] };
  expect(toTable(document)).toBe(`{
  tenon: "${GENERATED_VERSION}",
  securitySchemes: {
    a: { scheme: "Bearer" },
    b: { scheme: "Basic" },
    c: { in: "cookie", name: "C" },
    d: { scheme: "Bearer" },
    e: { scheme: "Bearer" },
  },
  security: [["a", "c"], []],
  operations: {
    "/a": {
      get: { responses: [[204]] },
      put: { responses: [[204]] },
      post: { responses: [[204]], security: [] },
    },
  },
}`);
  expect(emit(document)).toContain('type Scheme = "a" | "b" | "c" | "d" | "e";\n');
});

test("client.ts: tells its types apart only where the contract does", () => {
  expect(emit(toDocument({}), false)).toContain("ContractClient<paths> {");
  expect(emit(toDocument({}), true)).toContain('ContractClient<paths, "marked"> {');
});
