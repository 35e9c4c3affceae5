import { describe, expect, test } from "@jest/globals";
import { buildContract } from "../../../src/tenon/core/model/build-contract.js";
import type { Node } from "../../../src/tenon/core/document/node.js";
import type { Operation } from "../../../src/tenon/core/model/contract.js";

const OK = { "200": { description: "Fine." } };

function build(document: Node) {
  const problems: unknown[] = [];
  const contract = buildContract(
    { openapi: "3.1.0", info: { title: "Test", version: "1.0.0" }, ...document },
    { report: (code, pointer, message) => problems.push({ code, pointer, message }) },
  );
  return { contract, problems };
}

function buildOperation(operation: Node, document: Node = {}): Operation {
  const { contract, problems } = build({
    paths: { "/a": { get: { responses: OK, ...operation } } },
    ...document,
  });
  expect(problems).toEqual([]);
  const [built] = contract.operations;
  if (built === undefined) throw new Error("no operation was built");
  return built;
}

describe("base path", () => {
  test.each([
    ["no servers", undefined, ""],
    ["a URL without a path", [{ url: "https://a.example" }], ""],
    ["a relative URL", [{ url: "/v1" }], "/v1"],
    ["a trailing slash", [{ url: "https://a.example/v1/" }], "/v1"],
    [
      "a variable that is the whole URL",
      [{ url: "{u}", variables: { u: { default: "https://a.example/v1" } } }],
      "/v1",
    ],
    ["a variable in the path", [{ url: "/{v}/x", variables: { v: { default: "v2" } } }], "/v2/x"],
    ["servers that agree", [{ url: "https://a.example/v1" }, { url: "https://b.example/v1/" }], "/v1"],
  ])("of %s", (_, servers, want) => {
    expect(build({ servers }).contract.basePath).toBe(want);
  });

  test("several servers have several, the first one first", () => {
    const servers = [{ url: "/v1" }, { url: "https://a.example/v2/" }, { url: "https://b.example/v1" }];
    const { contract, problems } = build({ servers });
    expect(contract).toMatchObject({ basePath: "/v1", basePaths: ["/v1", "/v2"] });
    expect(problems).toEqual([]);
  });

  test("servers of an operation replace those of the path item, which replace those of the contract", () => {
    const { contract, problems } = build({
      servers: [{ url: "/v1" }],
      paths: {
        "/a": {
          servers: [{ url: "/v2" }],
          get: { responses: OK, servers: [{ url: "/v3" }] },
          put: { responses: OK },
        },
        "/b": { get: { responses: OK } },
      },
    });
    expect(contract.basePaths).toEqual(["/v1"]);
    expect(contract.operations.map(({ basePaths }) => basePaths)).toEqual([["/v3"], ["/v2"], undefined]);
    expect(problems).toEqual([]);
  });

  const version = { default: "v2", enum: ["v1", "v2"] };
  test.each<[url: string, variables: object, want: readonly string[]]>([
    ["https://a.example/{version}", { version }, ["/v2", "/v1"]],
    [
      "/{version}/{tenant}",
      { version, tenant: { default: "x", enum: ["x", "y"] } },
      ["/v2/x", "/v1/x", "/v2/y", "/v1/y"],
    ],
    ["{base}", { base: { default: "/a", enum: ["/a", "https://b.example/b"] } }, ["/a", "/b"]],
    ["https://{region}.example/v1", { region: { default: "us", enum: ["us", "eu"] } }, ["/v1"]],
    ["{scheme}://a.example/v1", { scheme: { default: "http", enum: ["http", "https"] } }, ["/v1"]],
    ["https://a.example:{port}/v1", { port: { default: "80" } }, ["/v1"]],
    ["{base}", { base: { default: "/a" } }, ["/a"]],
  ])("every value of the variables of %s", (url, variables, want) => {
    const { contract, problems } = build({ servers: [{ url, variables }] });
    expect(contract.basePaths).toEqual(want);
    expect(problems).toEqual([]);
  });

  test("a variable in the path without values is reported, and its default is used", () => {
    const { contract, problems } = build({
      servers: [{ url: "/{tenant}/v1", variables: { tenant: { default: "a" } } }],
    });
    expect(contract.basePaths).toEqual(["/a/v1"]);
    expect(problems).toMatchObject([{ code: "server-variable", pointer: "#/servers/0/variables/tenant" }]);
  });

  test("more than 32 values are reported, and the first 32 are used", () => {
    const values = Array.from({ length: 33 }, (_, index) => `t${index}`);
    const { contract, problems } = build({
      servers: [{ url: "/{tenant}", variables: { tenant: { default: "t7", enum: values } } }],
    });
    expect(contract.basePaths).toHaveLength(32);
    expect(contract.basePath).toBe("/t7");
    expect(problems).toMatchObject([{ code: "server-variable", pointer: "#/servers/0/url" }]);
  });
});

describe("operations", () => {
  test("without an operationId are named after method and path", () => {
    const { contract } = build({ paths: { "/pets/{pet-id}": { get: { responses: OK } } } });
    expect(contract.operations).toMatchObject([{ id: "getPetsPetId", typeName: "GetPetsPetId" }]);
  });

  test("without an operationId get a number where the name is taken", () => {
    const get = { responses: OK };
    const stated = { get: { operationId: "getA2", responses: OK } };
    const { contract, problems } = build({ paths: { "/a": { get }, "/{a}": { get }, "/b": stated } });
    expect(problems).toEqual([]);
    expect(contract.operations.map(({ id }) => id)).toEqual(["getA", "getA3", "getA2"]);
  });

  test("and webhooks may call back", () => {
    const requestBody = { content: { "application/json": { schema: { type: "string" } } } };
    const post = { summary: "Posted.", requestBody, responses: OK };
    const { contract } = build({
      paths: { "/a": { get: { callbacks: { on: { "{$url}": { post }, "x-other": {} } }, responses: OK } } },
      webhooks: { news: { $ref: "#/components/pathItems/News" } },
      components: { pathItems: { News: { post } } },
    });
    const request = { method: "post", summary: "Posted.", responses: [{ status: "200" }] };
    expect(contract.operations[0]?.callbacks).toMatchObject([
      { name: "on", expression: "{$url}", ...request },
    ]);
    expect(contract.webhooks).toMatchObject([{ name: "news", ...request }]);
  });

  test("whose types would have one name get another", () => {
    const { contract, problems } = build({
      paths: {
        "/a": { get: { operationId: "get-pet", responses: OK } },
        "/b": { get: { operationId: "getPet", responses: OK } },
      },
    });
    expect(contract.operations).toMatchObject([{ typeName: "GetPet" }, { typeName: "GetPet_" }]);
    expect(problems).toMatchObject([{ code: "name-changed", pointer: "#/paths/~1b/get/operationId" }]);
  });

  test("come from a path item by reference", () => {
    const { contract } = build({
      paths: { "/a": { $ref: "#/components/pathItems/A" } },
      components: { pathItems: { A: { get: { responses: OK } } } },
    });
    expect(contract.operations).toMatchObject([{ method: "get", path: "/a" }]);
  });

  test.each([
    ["501 alone", { "501": {} }, true],
    ["501 beside errors", { "401": {}, "4XX": {}, "501": {} }, true],
    ["501 beside a success", { "200": {}, "501": {} }, false],
    ["501 beside a redirect", { "302": {}, "501": {} }, false],
    ["501 beside a range of successes", { "2XX": {}, "501": {} }, false],
    ["501 beside default", { default: {}, "501": {} }, false],
    ["no 501", { "401": {} }, false],
  ])("with %s: stub or not", (_, responses, want) => {
    expect(buildOperation({ responses }).stub).toBe(want);
  });
});

describe("parameters", () => {
  const shared = { name: "limit", in: "query", description: "Shared.", schema: { type: "integer" } };

  function buildParameters(pathItem: readonly unknown[], operation: readonly unknown[]) {
    const get = { parameters: operation, responses: OK };
    const { contract, problems } = build({
      paths: { "/a": { parameters: pathItem, get } },
      components: {
        parameters: { Shared: shared },
        schemas: { Limit: { type: "integer", default: 20 } },
      },
    });
    expect(problems).toEqual([]);
    return contract.operations[0]?.parameters;
  }

  test("of the path item are the operation's, inline and by reference", () => {
    expect(buildParameters([shared], [])).toMatchObject([{ name: "limit" }]);
    expect(buildParameters([{ $ref: "#/components/parameters/Shared" }], [])).toMatchObject([
      { name: "limit" },
    ]);
  });

  test("of the operation win over the path item's of the same name and place", () => {
    const own = { ...shared, description: "Own." };
    expect(buildParameters([shared], [own])).toMatchObject([{ description: "Own." }]);
    expect(buildParameters([shared], [{ ...own, in: "header" }])).toHaveLength(2);
  });

  test("of headers are the same whatever their case", () => {
    const header = { ...shared, in: "header" };
    expect(buildParameters([{ ...header, name: "X-A" }], [{ ...header, name: "x-a" }])).toMatchObject([
      { name: "x-a" },
    ]);
  });

  test("called Accept, Content-Type or Authorization are ignored in headers only", () => {
    expect(buildParameters([], [{ ...shared, name: "Accept", in: "header" }])).toEqual([]);
    expect(buildParameters([], [{ ...shared, name: "Accept" }])).toHaveLength(1);
  });

  test("have a default also when their schema is a reference", () => {
    const schema = { $ref: "#/components/schemas/Limit" };
    expect(buildParameters([], [{ ...shared, schema }])).toMatchObject([{ hasDefault: true }]);
  });

  test("keep what is declared beside what it is read by", () => {
    const { operations } = buildContract({
      openapi: "3.1.0",
      paths: {
        "/a": {
          get: {
            parameters: [
              { name: "a", in: "query", style: "simple", schema: { enum: [""] } },
              { name: "b", in: "query", content: { "text/csv": { schema: { type: "array" } } } },
            ],
          },
        },
      },
    });
    expect(operations[0]?.parameters).toMatchObject([
      {
        style: "form",
        allowEmptyValue: true,
        declared: { style: "simple", explode: false, allowEmptyValue: false, schema: { enum: [""] } },
      },
      { schema: { type: ["string"] }, declared: { schema: { type: ["array"] } } },
    ]);
  });
});

describe("security", () => {
  const scheme = { type: "apiKey", in: "header", name: "X-Key" };
  const components = { securitySchemes: { key: scheme, other: scheme } };

  test("of the root holds for operations without their own", () => {
    expect(buildOperation({}, { components, security: [{ key: [] }] }).security).toEqual([{ key: [] }]);
  });

  test("of the operation replaces the root's, also when it is empty", () => {
    const document = { components, security: [{ key: [] }] };
    expect(buildOperation({ security: [{ other: ["read"] }, {}] }, document).security).toEqual([
      { other: ["read"] },
      {},
    ]);
    expect(buildOperation({ security: [] }, document).security).toEqual([]);
  });

  test("is found where it is stated", () => {
    const document = { components, security: [{ key: [] }] };
    expect(buildOperation({ security: [] }, document).securityPointer).toBe("#/paths/~1a/get/security");
    expect(buildOperation({}, document).securityPointer).toBe("#/security");
    expect(buildOperation({}).securityPointer).toBeUndefined();
  });
});

describe("deprecation", () => {
  test("takes dates as their first instant in UTC and the successor's path", () => {
    const { contract } = build({
      paths: {
        "/old": {
          get: {
            deprecated: true,
            "x-deprecated-since": "2026-11-21",
            "x-sunset": "2030-12-05",
            "x-replaced-by": "listNew",
            responses: OK,
          },
        },
        "/new": { get: { operationId: "listNew", responses: OK } },
      },
    });
    expect(contract.operations.map(({ lifecycle, successor }) => ({ lifecycle, successor }))).toEqual([
      {
        lifecycle: {
          deprecated: true,
          since: Date.UTC(2026, 10, 21),
          sunset: Date.UTC(2030, 11, 5),
          replacedBy: "listNew",
          stability: "stable",
        },
        successor: { id: "listNew", method: "get", path: "/new" },
      },
      { lifecycle: undefined, successor: undefined },
    ]);
  });

  test("can be without any date", () => {
    expect(buildOperation({ deprecated: true }).lifecycle).toEqual({ deprecated: true, stability: "stable" });
  });

  test("of parameters, headers and properties is known too, and what nobody can read of them is told", () => {
    const old = { deprecated: true, "x-sunset": "2030-12-05", "x-stability-level": "beta" };
    const header = { ...old, "x-sunset": "soon", schema: {} };
    const { contract, problems } = build({
      paths: {
        "/a": {
          get: {
            parameters: [{ name: "q", in: "query", schema: { type: "string" }, ...old }],
            responses: { "204": { description: "Done.", headers: { "X-A": header } } },
          },
        },
      },
      components: { schemas: { A: { properties: { a: old } } } },
    });
    const lifecycle = { deprecated: true, sunset: Date.UTC(2030, 11, 5), stability: "beta" };
    const [operation] = contract.operations;
    expect(operation?.parameters[0]?.lifecycle).toEqual(lifecycle);
    expect(operation?.responses[0]?.headers[0]?.lifecycle).toEqual({ deprecated: true, stability: "beta" });
    expect(contract.schemas[0]?.schema.properties?.["a"]?.lifecycle).toEqual(lifecycle);
    expect(problems).toMatchObject([{ code: "date-invalid" }]);
  });

  test("must not start after the sunset", () => {
    const operation = { "x-deprecated-since": "2031-01-01", "x-sunset": "2030-12-05", responses: OK };
    expect(build({ paths: { "/a": { get: operation } } }).problems).toMatchObject([{ code: "date-invalid" }]);
  });
});

describe("schemas", () => {
  function buildSchema(schema: unknown, openapi = "3.1.0") {
    const { contract, problems } = build({
      openapi,
      components: { schemas: { A: schema, B: { type: "string" } } },
    });
    return { schema: contract.schemas[0]?.schema, problems };
  }

  test("a repeated reference that leads back to itself is a problem", () => {
    const { problems } = buildSchema({
      properties: { a: { items: { $ref: "#/components/schemas/A/properties/a" } } },
    });
    expect(problems).toMatchObject([{ code: "schema-circular" }]);
  });

  test("a reference to an inherited member leads nowhere", () => {
    const { problems } = buildSchema({ $ref: "#/components/schemas/__proto__" });
    expect(problems).toMatchObject([{ code: "reference-unresolved" }]);
  });

  test("a circle of two through allOf and oneOf is a problem of both", () => {
    const { problems } = build({
      components: {
        schemas: {
          A: { allOf: [{ $ref: "#/components/schemas/B" }] },
          B: { oneOf: [{ $ref: "#/components/schemas/A" }, { type: "string" }] },
          C: { properties: { c: { $ref: "#/components/schemas/C" } } },
        },
      },
    });
    expect(problems).toMatchObject([
      { code: "schema-circular", pointer: "#/components/schemas/A" },
      { code: "schema-circular", pointer: "#/components/schemas/B" },
    ]);
  });

  test.each([
    ["if", { if: { if: { $ref: "#/components/schemas/A" } } }],
    ["not", { not: { $ref: "#/components/schemas/A" } }],
    ["then", { if: { type: "object" }, then: { $ref: "#/components/schemas/A" } }],
    ["else", { if: { type: "object" }, else: { $ref: "#/components/schemas/A" } }],
    ["dependentSchemas", { dependentSchemas: { a: { $ref: "#/components/schemas/A" } } }],
  ])("a circle through %s is a problem, because its validation would not end", (_, schema) => {
    expect(buildSchema(schema).problems).toMatchObject([{ code: "schema-circular" }]);
  });

  test("schemas are read when they are needed, where their problems are not wanted", () => {
    const schemas = { A: { $ref: "#/components/schemas/Missing" } };
    const codes: string[] = [];
    const document = { openapi: "3.1.0", info: {}, components: { schemas } };
    const options = { report: (code: string) => codes.push(code) };
    const { registry } = buildContract(document, { ...options, reportSchemas: false });
    expect(codes).toEqual([]);
    registry.component("A");
    expect(codes).toEqual(["reference-unresolved"]);
    buildContract(document, options);
    expect(codes).toEqual(["reference-unresolved", "reference-unresolved"]);
  });
});

describe("texts for readers", () => {
  test("tags have the name that readers see", () => {
    const tags = [{ name: "pets", "x-displayName": "Pets", description: "About pets." }, { name: "plain" }];
    expect(build({ tags }).contract.tags).toEqual([
      { pointer: "#/tags/0", name: "pets", displayName: "Pets", description: "About pets." },
      { pointer: "#/tags/1", name: "plain" },
    ]);
  });

  test("examples and values of an enum have descriptions", () => {
    const schema = { enum: ["a"], "x-enumDescriptions": { a: "First.", b: 1 } };
    const examples = { one: { value: "a", summary: "S", description: "D" } };
    const content = { "application/json": { schema, examples } };
    const { responses } = buildOperation({ responses: { "200": { description: "", content } } });
    expect(responses[0]?.mediaTypes[0]).toMatchObject({
      schema: { enumDescriptions: { a: "First." } },
      examples: [{ name: "one", value: "a", summary: "S", description: "D" }],
    });
  });
});
