import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { describe, expect, test } from "@jest/globals";
import { diffContracts } from "../../../src/cli/diff/index.js";
import { groupChanges } from "../../../src/cli/diff/group-changes.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { findChanges, listChanges, NOW } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const integer = { type: "integer" };
const toList = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const toObject = (properties: Schema, ...required: string[]): Schema => ({
  type: "object",
  properties,
  required,
});
const toDocument = (paths: Schema, more: Schema = {}): Node => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1.0.0" },
  paths,
  ...more,
});
const ok = { "200": { description: "Done." } };
const toQuery = (...parameters: readonly Schema[]): Node =>
  toDocument({ "/things": { get: { parameters, responses: ok } } });
const query = (name: string, schema: Schema, more: Schema = {}): Schema => ({
  name,
  in: "query",
  schema,
  ...more,
});
const toPath = (schema: Schema): Node => {
  const parameters = [{ name: "id", in: "path", required: true, schema }];
  return toDocument({ "/things/{id}": { get: { parameters, responses: ok } } });
};
const toHeader = (schema: Schema): Node => {
  const response = { description: "Done.", headers: { "X-Total": { schema } } };
  return toDocument({ "/things": { get: { responses: { "200": response } } } });
};
const toUpload = (contentType: string): Node => {
  const schema = { type: "object", properties: { photo: { ...text, format: "binary" } } };
  const content = { "multipart/form-data": { schema, encoding: { photo: { contentType } } } };
  return toDocument({ "/things": { post: { requestBody: { content }, responses: ok } } });
};
const toSecured = (...security: readonly Schema[]): Node =>
  toDocument(
    { "/things": { get: { security, responses: ok } } },
    {
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-Key" },
          token: { type: "http", scheme: "bearer" },
        },
      },
    },
  );
const toPaths = (paths: Schema, ...urls: readonly string[]): Node =>
  toDocument(paths, { servers: urls.map((url) => ({ url })) });
const get = { get: { responses: ok } };
const byId = (schema: Schema): Schema => ({
  get: { parameters: [{ name: "id", in: "path", required: true, schema }], responses: ok },
});
const toServed = (...regions: readonly string[]): Node => {
  const variables = { region: { default: "eu", enum: regions } };
  return toDocument({}, { servers: [{ url: "https://{region}.example", variables }] });
};

const documents: readonly (readonly [string, Node, Node, readonly string[], readonly string[]])[] = [
  [
    "a list in one text was a text",
    toQuery(query("ids", text)),
    toQuery(query("ids", toList(text), { explode: false })),
    ["safe request-type-changed"],
    ["safe request-type-changed"],
  ],
  [
    "a list in one text was a number",
    toQuery(query("ids", integer)),
    toQuery(query("ids", toList(integer), { explode: false })),
    ["safe request-type-changed"],
    ["breaking request-type-changed"],
  ],
  [
    "a limited list in one text was a text",
    toQuery(query("ids", text)),
    toQuery(query("ids", toList(text, { maxItems: 3 }), { explode: false })),
    ["breaking request-type-changed"],
    ["safe request-type-changed"],
  ],
  [
    "a list in several texts is one text",
    toQuery(query("ids", toList(text))),
    toQuery(query("ids", text)),
    ["breaking request-type-changed"],
    ["safe request-type-changed"],
  ],
  [
    "an exploded list is never empty",
    toQuery(query("ids", toList(text))),
    toQuery(query("ids", toList(text, { minItems: 1 }))),
    [],
    [],
  ],
  ["a path parameter is never empty", toPath(text), toPath({ ...text, minLength: 1 }), [], []],
  [
    "a path parameter is a number and was a text",
    toPath(text),
    toPath(integer),
    ["breaking request-type-changed"],
    ["safe request-type-changed"],
  ],
  [
    "a path parameter excludes a value",
    toPath(text),
    toPath({ ...text, not: { const: "mine" } }),
    ["breaking request-keyword-tightened"],
    ["safe request-keyword-loosened"],
  ],
  [
    "a header of a response is a list and was a text",
    toHeader(text),
    toHeader(toList(text)),
    ["safe response-type-changed"],
    ["safe response-type-changed"],
  ],
  [
    "a file can have one more media type",
    toUpload("image/png"),
    toUpload("image/png, image/jpeg"),
    ["safe request-encoding-changed"],
    ["breaking request-encoding-changed"],
  ],
  [
    "a file can have any media type of a kind",
    toUpload("image/png"),
    toUpload("image/*"),
    ["safe request-encoding-changed"],
    ["breaking request-encoding-changed"],
  ],
  [
    "both of two credentials are needed",
    toSecured({ key: [] }, { token: [] }),
    toSecured({ key: [], token: [] }),
    ["breaking security-tightened", "breaking security-tightened"],
    ["safe security-loosened", "safe security-loosened"],
  ],
  ...(["https://things.example/v1", "/v1/"] as const).map(
    (url) =>
      [
        `the path of the server ${url} is in the paths`,
        toPaths({ "/things": get, "/things/{id}": byId(text) }, url),
        toPaths(
          { "/v1/things": get, "/v1/things/{id}": byId(text), "/health": get },
          url.replace(/v1\/?$/, ""),
        ),
        ["risky server-path-moved", "safe operation-added"],
        ["breaking operation-removed", "risky server-path-moved"],
      ] as const,
  ),
  [
    "a part of the path of all servers is in the paths",
    toPaths({ "/things": get }, "https://a.example/api/v1", "https://b.example/api/v1"),
    toPaths({ "/v1/things": get }, "https://a.example/api", "https://b.example/api"),
    ["risky server-path-moved"],
    ["risky server-path-moved"],
  ],
  [
    "the servers have another path, and the paths are the same",
    toPaths({ "/things": get }, "/v1"),
    toPaths({ "/things": get }, "/v2"),
    ["breaking server-removed", "safe server-added"],
    ["breaking server-removed", "safe server-added"],
  ],
  [
    "a new operation has requests of another one",
    toDocument({ "/things/{id}": byId(text) }),
    toDocument({ "/things/{id}": byId(text), "/things/mine": get }),
    ["risky operation-added"],
    ["breaking operation-removed"],
  ],
  ...[integer, { ...text, format: "uuid" }, { ...text, pattern: "^\\d+$" }, { enum: ["a", "b"] }].map(
    (schema) =>
      [
        `a new operation has a path that is no ${JSON.stringify(schema)} of another one`,
        toDocument({ "/things/{id}": byId(schema) }),
        toDocument({ "/things/{id}": byId(schema), "/things/mine": get }),
        ["safe operation-added"],
        ["breaking operation-removed"],
      ] as const,
  ),
  [
    "a region more",
    toServed("eu"),
    toServed("eu", "us"),
    ["safe server-variable-value-added"],
    ["breaking server-variable-value-removed"],
  ],
];

describe("changes that teams make", () => {
  test.each(documents)("%s", async (_, base, revision, forth, back) => {
    expect(await listChanges(base, revision)).toEqual(forth);
    expect(await listChanges(revision, base)).toEqual(back);
  });
});

const CAT = toObject({ kind: { const: "cat" }, meow: { type: "boolean" } }, "kind");
const DOG = toObject({ kind: { const: "dog" }, bark: { type: "boolean" } }, "kind");

test("an object that several alternatives cover together does not break clients", async () => {
  const one = toObject(
    { kind: { enum: ["cat", "dog"] }, meow: { type: "boolean" }, bark: { type: "boolean" } },
    "kind",
  );
  const changes = await findChanges({ oneOf: [CAT, DOG] }, one);
  const added = changes.find(({ code }) => code === "response-alternative-added");
  expect(added?.level).toBe("risky");
});

test("one alternative more, and several may match, is safe for requests", async () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => toObject({ [name]: text }, name));
  const changes = await findChanges({ oneOf: [a, b] }, { anyOf: [a, b, c] });
  expect(changes.map(({ code, level }) => `${level} ${code}`)).toEqual([
    "safe request-alternative-added",
    "breaking response-alternative-added",
  ]);
  const back = await findChanges({ anyOf: [a, b, c] }, { oneOf: [a, b] });
  expect(back.map(({ code, level }) => `${level} ${code}`)).toContain("breaking request-alternative-removed");
});

test("a limit within an alternative only breaks clients where no other alternative allows the value", async () => {
  const alternatives = (maxLength: number, minLength: number) => ({
    anyOf: [
      { ...text, maxLength },
      { ...text, minLength },
    ],
  });
  const [covered] = await findChanges(alternatives(10, 3), alternatives(5, 3));
  expect(covered).toMatchObject({ code: "request-max-length-lowered", level: "risky" });
  const [shown] = await findChanges(alternatives(10, 9), alternatives(5, 9));
  expect(shown).toMatchObject({ code: "request-max-length-lowered", level: "breaking" });
  expect(shown?.counterexample?.value).toMatch(/^.{6,8}$/);
});

/** Breaking changes of requests from the first schema to the second; of responses the other way round. */
const limits: readonly (readonly [string, Schema, Schema])[] = [
  ["a long text", { ...text, maxLength: 9000 }, { ...text, maxLength: 5000 }],
  [
    "a long text of a pattern",
    { ...text, pattern: "^[A-Z]+$" },
    { ...text, pattern: "^[A-Z]+$", maxLength: 1200 },
  ],
  ["a long list", toList(text), toList(text, { maxItems: 500 })],
  [
    "a long list of unique items",
    toList(integer, { uniqueItems: true }),
    toList(integer, { uniqueItems: true, maxItems: 150 }),
  ],
  ["a very long text", text, { ...text, maxLength: 65_536 }],
  ["a very long list", toList(text), toList(text, { maxItems: 20_000 })],
  [
    "a very long list of unique items",
    toList(text, { uniqueItems: true }),
    toList(text, { uniqueItems: true, maxItems: 20_000 }),
  ],
  ["a very large object", { type: "object" }, { type: "object", maxProperties: 20_000 }],
  ["a large object", { type: "object" }, { type: "object", maxProperties: 300 }],
  ["a large integer", { ...integer, format: "int64" }, { ...integer, format: "int32" }],
  ["another format", { ...text, format: "hostname" }, { ...text, format: "uri" }],
  [
    "an alternative",
    { oneOf: [CAT, DOG, toObject({ kind: { const: "fish" } }, "kind")] },
    { oneOf: [CAT, DOG] },
  ],
];

const ajv = new Ajv2020({ strict: false });
ajv.addFormat("int32", { type: "number", validate: (value: number) => Math.abs(value) < 2 ** 31 });
ajv.addFormat("int64", { type: "number", validate: (value: number) => Math.abs(value) < 2 ** 63 });
ajv.addFormat("hostname", /^[a-z\d]+([.-][a-z\d]+)*\.?$/i);
ajv.addFormat("uri", /^[a-z][a-z\d+.-]*:\S+$/i);

const compare = async (base: Node, revision: Node) => {
  const toLocated = (document: Node) => ({
    contract: buildContract(document),
    locate: (pointer: string) => ({ file: "openapi.yaml", line: 1, pointer }),
  });
  return diffContracts({ base: toLocated(base), revision: toLocated(revision) }, { now: NOW });
};

describe("a breaking change shows a value", () => {
  test.each(limits)("%s", async (_, wide, narrow) => {
    for (const [direction, changes] of [
      ["request", await findChanges(wide, narrow)],
      ["response", await findChanges(narrow, wide)],
    ] as const) {
      const own = changes.filter(({ code, level }) => code.startsWith(direction) && level === "breaking");
      expect(own).not.toEqual([]);
      for (const { counterexample } of own) {
        expect(counterexample).toBeDefined();
        expect(ajv.validate(wide, counterexample?.value)).toBe(true);
        expect(ajv.validate(narrow, counterexample?.value)).toBe(false);
      }
    }
  });

  test("with its size, if it is long", async () => {
    const [change] = await findChanges(text, { ...text, maxLength: 5000 });
    expect(change?.because).toMatch(/^".{79}… \(\d{4} characters\) was valid and is no longer valid\.$/);
  });

  test.each([
    ["a path parameter", toPath(text), toPath(integer), "a"],
    [
      "a list of at most three items in one text",
      toQuery(query("ids", text)),
      toQuery(query("ids", toList(text, { maxItems: 3 }), { explode: false })),
      "a,a,a,a,a",
    ],
    [
      "a list with another separator",
      toQuery(query("ids", text)),
      toQuery(query("ids", toList(text, { maxItems: 3 }), { style: "pipeDelimited", explode: false })),
      "a|a|a|a|a",
    ],
  ])("which %s can have", async (_, base, revision, value) => {
    const { changes } = await compare(base, revision);
    expect(changes.map(({ counterexample }) => counterexample?.value)).toEqual([value]);
  });
});

describe("the report", () => {
  test("lists different changes at one place apart", async () => {
    const diff = await compare(toSecured({ key: [] }, { token: [] }), toSecured({ key: [], token: [] }));
    expect(groupChanges(diff.changes).map(({ change }) => change.message)).toEqual([
      "key is no longer sufficient",
      "token is no longer sufficient",
    ]);
  });

  test("says `none` for a missing limit", async () => {
    const diff = await compare(toQuery(query("q", text)), toQuery(query("q", { ...text, maxLength: 9 })));
    expect(diff.changes[0]?.message).toBe('The query parameter "q" has a lower maxLength: none, now 9');
  });

  test("does not list a component that only one contract uses as different", async () => {
    const toContract = (schema: Schema) => {
      const content = { "application/json": { schema } };
      const post = { requestBody: { content }, responses: ok };
      return toDocument({ "/things": { post } }, { components: { schemas: { CAT, DOG } } });
    };
    const [cat, dog] = ["CAT", "DOG"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const diff = await compare(toContract({ oneOf: [cat] }), toContract({ oneOf: [cat, dog] }));
    expect(diff.notCompared).toEqual([]);
  });
});
