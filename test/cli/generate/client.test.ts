import { expect, test } from "@jest/globals";
import { GENERATED_VERSION } from "../../../src/tenon/core/version/index.js";
import { emitClient } from "../../../src/cli/generate/client.js";
import { toClientOperation } from "../../../src/cli/generate/client-operation.js";
import { emitValue } from "../../../src/cli/generate/text.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { toContract } from "./contract.js";
import { testEmit } from "./given-want.js";

function emit(
  document: Readonly<Record<string, unknown>>,
  options: object = {},
): ReadonlyMap<string, string> {
  return emitClient(toContract(document), { source: "openapi.yaml", marked: false, ...options });
}

const emitMain = (document: Readonly<Record<string, unknown>>, options?: object) =>
  emit(document, options).get("client.ts") ?? "";

const toDocument = (operation: object, components: object = {}, more: object = {}) => ({
  openapi: "3.1.0",
  paths: { "/a": { post: { responses: { "200": { description: "" } }, ...operation } } },
  components,
  ...more,
});

const toTable = (document: Readonly<Record<string, unknown>>): string =>
  /const contract: ClientContract = (.*?);\n\n/s.exec(emitMain(document))?.[1] ?? "";

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
    "a key for repetitions, in the form that its pattern allows",
    {
      parameters: [parameter("header", "Idempotency-Key", { schema: { type: "string", pattern: '^".+"$' } })],
    },
    '{ responses: [[200]], idempotencyKey: "quoted" }',
  ],
  [
    "a key for repetitions, if its schema says nothing",
    { parameters: [parameter("header", "idempotency-key", text)] },
    '{ responses: [[200]], idempotencyKey: "plain" }',
  ],
  [
    "no key for repetitions that its schema does not allow",
    { parameters: [parameter("header", "Idempotency-Key", { schema: { type: "string", maxLength: 10 } })] },
    "{ responses: [[200]] }",
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
}`);
  const calls = emit(document).get("calls.ts") ?? "";
  expect(calls.match(/ {2}responses: .*\n(?: {2}security: .*\n)?/g)).toEqual([
    "  responses: [[204]],\n",
    "  responses: [[204]],\n",
    "  responses: [[204]],\n  security: [],\n",
  ]);
  expect(emitMain(document)).toContain('type Scheme = "a" | "b" | "c" | "d" | "e";\n');
});

test("client.ts: tells its types apart only where the contract does", () => {
  expect(emitMain(toDocument({}))).toContain('ContractClient<paths, "unmarked">;');
  expect(emitMain(toDocument({}), { marked: true })).toContain('ContractClient<paths, "marked">;');
  expect(emit(toDocument({}), { marked: true }).get("calls.ts")).toContain('"post", "marked">({');
});

test("calls.ts: names calls by operationId, and has docs that cannot end a comment", () => {
  const responses = { "200": { description: "" } };
  const document = {
    ...toDocument({}),
    paths: {
      "/a": {
        get: {
          operationId: "get-pet",
          summary: "Get */ a pet",
          description: "Any.\n",
          deprecated: true,
          responses,
        },
        put: { operationId: "then", responses },
        post: { operationId: "getPet", responses },
        patch: { operationId: "POST", responses },
        delete: { responses },
      },
    },
  };
  const options = { source: "openapi.yaml", marked: false };
  const calls = emitClient(buildContract(document), options).get("calls.ts") ?? "";
  const pattern = /^export interface (\w+) extends TypesOf<(".*?")>[^]*?^export const (\w+) = .*<\1,/gm;
  expect([...calls.matchAll(pattern)].map(([, ...found]) => found)).toEqual([
    ["GetPet", '"get-pet"', "getPet"],
    ["Then", '"then"', "then_"],
    ["GetPet_", '"getPet"', "getPet_"],
    ["DeleteA", '"DELETE /a"', "deleteA"],
    ["POST", '"POST"', "POST_"],
  ]);
  expect(calls).toContain(
    "/**\n * Get *\\/ a pet\n *\n * Any.\n *\n * GET /a\n * @deprecated\n */\nexport const getPet =",
  );
});

test("calls.ts: has how the next page is found", () => {
  const page = {
    type: "object",
    properties: { data: { type: "object", properties: { list: LIST } }, next: { type: "string" } },
  };
  const toOperation = (schema: object, more: object = {}) => ({
    responses: {
      "200": { description: "", headers: { Link: text }, content: { "application/json": { schema } } },
    },
    ...more,
  });
  const extension = { "x-pagination": { items: "/data/list", next: "/next" } };
  const document = {
    ...toDocument({}),
    paths: {
      "/list": { get: toOperation(LIST), post: toOperation(LIST) },
      "/page": { get: toOperation(page), post: toOperation(page, extension) },
      "/bad": { get: toOperation(LIST, { "x-pagination": { style: "cursor" } }) },
    },
  };
  const calls = emit(document).get("calls.ts") ?? "";
  expect(calls.match(/definePagedCall<.*(?=\(\{)| {2}pages: .*/g)).toEqual([
    'definePagedCall<GetList, "get">',
    "  pages: {},",
    'definePagedCall<PostPage, "post", "unmarked", ["data", "list"]>',
    '  pages: { items: "/data/list", next: "/next" },',
  ]);
});

test("calls.ts: has a file per tag if calls are grouped", () => {
  const responses = { "200": { description: "" } };
  const document = {
    ...toDocument({}),
    paths: { "/a": { get: { tags: ["pet store", "x"], responses }, put: { responses } } },
  };
  const files = emit(document, { groupByTag: true });
  expect([...files.keys()]).toEqual(["client.ts", "calls.ts", "calls/pet-store.ts", "calls/untagged.ts"]);
  expect(files.get("client.ts")).toContain("const calls = {\n  petStore: group0,\n  untagged: group1,\n};\n");
  expect(files.get("calls.ts")).toMatch(/\nexport \* from ".\/calls\/pet-store.js";\nexport \* from/);
});
