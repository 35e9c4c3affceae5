import { describe, expect, test } from "@jest/globals";
import { isNode, type Node } from "../../../../src/tenon/core/document/index.js";
import type { Entry } from "../../../../src/cli/docs/paging/menu-entries.js";
import { createParts } from "../../../../src/cli/docs/paging/parts.js";

const toSchemas = (schemas: Node): Node => ({ components: { schemas } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (schema: Node) => ({ 200: { description: "", content: { "application/json": { schema } } } });

const operation: Entry = {
  id: "operation/one",
  alias: "tag/a/operation/one",
  name: "Do `one` [thing]",
  kind: "operation",
  entries: [],
  description: "",
  operation: { method: "get", path: "/one", operationId: "one", deprecated: false, isWebhook: false },
};
const tag: Entry = {
  id: "tag/a",
  alias: "tag/a",
  name: "A",
  kind: "tag",
  entries: [operation],
  description: "",
};

function createContract(own: Node): Node {
  return {
    openapi: "3.1.0",
    info: { title: "T", version: "1", description: "Long." },
    security: [{ key: [] }],
    tags: [{ name: "a", "x-displayName": "A", description: "About a." }],
    ...own,
  };
}

/** The part of `GET /one`. */
function toPart(pathItem: Node, own: Node = {}): Node {
  const paths = { "/one": pathItem, "/two": { get: { responses: answer(ref("Two")) } } };
  return createParts(createContract({ paths, ...own })).operation(operation, tag);
}

/** Names of the schemas in the part of an operation that answers with a schema. */
function reach(schema: Node, schemas: Node): readonly string[] {
  const { components } = toPart({ get: { responses: answer(schema) } }, toSchemas(schemas));
  const reached = isNode(components) ? components["schemas"] : undefined;
  return Object.keys(isNode(reached) ? reached : {}).sort();
}

describe("the part of an operation", () => {
  test("has that operation, its path's parameters, its tag's name, and what lets it in", () => {
    const parameters = [{ name: "id", in: "query" }];
    const own = { summary: "One", tags: ["b", "a"], responses: {} };
    const securitySchemes = { key: { type: "apiKey" } };
    expect(toPart({ parameters, get: own, put: own }, { components: { securitySchemes } })).toEqual({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      security: [{ key: [] }],
      tags: [{ name: "a", "x-displayName": "A" }],
      paths: { "/one": { parameters, get: { ...own, tags: ["a"] } } },
      components: { securitySchemes },
    });
  });

  test("is that of a path item behind a reference, and of a webhook", () => {
    const pathItem = { get: { summary: "Behind" } };
    const behind = toPart(
      { $ref: "#/components/pathItems/One" },
      { components: { pathItems: { One: pathItem } } },
    );
    expect(behind["paths"]).toMatchObject({ "/one": pathItem });
    const facts = {
      method: "post",
      path: "hook",
      operationId: undefined,
      deprecated: false,
      isWebhook: true,
    };
    const contract = createContract({ webhooks: { hook: { post: { summary: "Hook" } } } });
    const part = createParts(contract).operation({ ...operation, operation: facts }, undefined);
    expect(part).toMatchObject({
      paths: {},
      tags: [],
      webhooks: { hook: { post: { summary: "Hook", tags: [] } } },
    });
  });

  test.each<[string, Node, Node, readonly string[]]>([
    [
      "schemas behind schemas",
      ref("A"),
      { A: { items: ref("B") }, B: { not: ref("C") }, C: {} },
      ["A", "B", "C"],
    ],
    ["circles once", ref("A"), { A: { items: ref("B") }, B: { items: ref("A") } }, ["A", "B"]],
    ["a schema for a pointer into it", { $ref: "#/components/schemas/A/items" }, { A: { items: {} } }, ["A"]],
    ["names with escapes", { $ref: "#/components/schemas/a~1b%20c" }, { "a/b c": {} }, ["a/b c"]],
    [
      "what a discriminator maps to, by reference and by name",
      {
        discriminator: {
          propertyName: "kind",
          mapping: { a: "#/components/schemas/A", b: "B", c: "c.json" },
        },
      },
      { A: {}, B: {}, C: {} },
      ["A", "B"],
    ],
    [
      "what says allOf a schema with a discriminator",
      ref("Pet"),
      {
        Pet: { discriminator: { propertyName: "kind" } },
        Cat: { allOf: [ref("Pet")] },
        Lion: { allOf: [ref("Cat")] },
      },
      ["Cat", "Pet"],
    ],
    ["not what says allOf another", ref("Pet"), { Pet: {}, Cat: { allOf: [ref("Pet")] } }, ["Pet"]],
    ["members of objects, not inherited ones", { $ref: "#/components/schemas/constructor" }, { A: {} }, []],
  ])("reaches %s", (_, schema, schemas, names) => {
    expect(reach(schema, schemas)).toEqual(names);
  });

  test("reaches other kinds of components", () => {
    const get = { parameters: [{ $ref: "#/components/parameters/P" }] };
    const components = { parameters: { P: { schema: ref("A") }, Q: {} }, schemas: { A: {}, B: {} } };
    expect(toPart({ get }, { components })["components"]).toEqual({
      parameters: { P: { schema: ref("A") } },
      schemas: { A: {} },
    });
  });

  test("leaves other operations out, what is referred to in them moves", () => {
    const pointer = "#/paths/~1two/get/responses/200";
    const part = toPart({ get: { responses: { 200: { $ref: pointer } } } }, toSchemas({ Two: {} }));
    expect(part["paths"]).toMatchObject({
      "/one": { get: { responses: { 200: { $ref: "#/x-referenced/0" } } } },
    });
    expect(part["paths"]).not.toHaveProperty(["/two"]);
    expect(part["x-referenced"]).toEqual([answer(ref("Two"))[200]]);
    expect(part["components"]).toMatchObject({ schemas: { Two: {} } });
  });

  test.each(["#/components/schemas/None", "#/paths/~1none", "other.yaml", "#anchor"])(
    "keeps %s, which leads nowhere in the contract",
    ($ref) => {
      expect(toPart({ get: { responses: answer({ $ref }) } })["paths"]).toMatchObject({
        "/one": { get: { responses: answer({ $ref }) } },
      });
    },
  );

  test("names schemas instead of unfolding them, where each refers to all others", () => {
    const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
    const all = { properties: Object.fromEntries(names.map((name) => [name, ref(name)])) };
    const schemas = Object.fromEntries(names.map((name) => [name, all]));
    const part = toPart({ get: { responses: answer(ref("S0")) } }, toSchemas(schemas));
    expect(part["paths"]).toMatchObject({ "/one": { get: { responses: answer(ref("S0")) } } });
    expect(part).toMatchObject({
      components: {
        schemas: {
          S0: {
            properties: {
              S1: { title: "S1", description: expect.stringContaining("not unfolded") },
            },
          },
        },
      },
    });
    const few = Object.fromEntries(names.slice(0, 6).map((name) => [name, all]));
    expect(toPart({ get: { responses: answer(ref("S0")) } }, toSchemas(few))).toMatchObject(toSchemas(few));
  });

  test("survives a chain of references that is longer than a stack is deep", () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `S${index}`);
    const schemas = Object.fromEntries(names.map((name, index) => [name, { items: ref(`S${index + 1}`) }]));
    expect(reach(ref("S0"), schemas)).toHaveLength(names.length);
  });

  test("keeps a member called __proto__ a member", () => {
    const get = JSON.parse('{"x-a":{"__proto__":{"b":1}}}') as Node;
    expect(JSON.stringify(toPart({ get }))).toContain('"x-a":{"__proto__":{"b":1}}');
  });

  test("changes nothing of the contract", () => {
    const contract = createContract({
      paths: { "/one": { get: { responses: answer(ref("A")) } } },
      ...toSchemas({ A: {} }),
    });
    const before = JSON.stringify(contract);
    createParts(contract).operation(operation, tag);
    expect(JSON.stringify(contract)).toBe(before);
  });
});

describe("other parts", () => {
  const schemas = { Mine: { "x-tags": ["a"], items: ref("Inner") }, Inner: {}, Other: {} };
  const parts = createParts(
    createContract({ paths: { "/one": {} }, externalDocs: { url: "u" }, ...toSchemas(schemas) }),
  );

  test("the introduction has what the contract says of itself", () => {
    expect(parts.introduction()).toMatchObject({
      info: { description: "Long." },
      externalDocs: { url: "u" },
      paths: {},
    });
    expect(parts.introduction()).not.toHaveProperty("tags");
  });

  test("a tag has its description, its schemas, and links to its operations", () => {
    const part = parts.tag(tag);
    expect(part["tags"]).toEqual([
      {
        name: "a",
        "x-displayName": "A",
        description: "About a.\n\n# Operations\n\n- [Do \\`one\\` \\[thing\\]](#operation/one) `GET /one`",
      },
    ]);
    expect(part["components"]).toMatchObject({ schemas: { Mine: {}, Inner: {} } });
    expect(part["components"]).not.toHaveProperty("schemas.Other");
  });

  test("a tag that is not declared has a name", () => {
    expect(parts.tag({ ...tag, name: "undeclared" })["tags"]).toMatchObject([{ name: "undeclared" }]);
  });
});
