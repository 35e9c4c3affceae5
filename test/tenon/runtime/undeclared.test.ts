import { describe, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { startThings } from "./service.js";

interface Given {
  readonly schema: object;
  readonly schemas?: object;
  /** OpenAPI version of the contract. */
  readonly openapi?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Serves a body as the response of an operation with the schema. Default: as production does with an unsampled response. */
async function serve(body: unknown, { schema, schemas = {}, openapi = "3.1.0", options = {} }: Given) {
  const content = { "application/json": { schema } };
  const document = {
    openapi,
    info: { title: "Undeclared", version: "1" },
    paths: { "/x": { get: { operationId: "getX", responses: { "200": { description: "ok", content } } } } },
    components: { schemas },
  };
  const service = await startThings({
    document,
    handlers: { getX: (_, reply) => reply[200]?.(body) },
    options: { responseValidation: "off", ...options },
  });
  try {
    const { status, text } = await send(service.port, "/x");
    const problems = service.responseProblems.flatMap((problem) => problem.problems);
    return { status, body: text === "" ? undefined : (JSON.parse(text) as unknown), problems, service };
  } finally {
    await service.stop();
  }
}

const STRING = { type: "string" };
const ID = { type: "object", properties: { id: { type: "integer" } } };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const CAT = {
  type: "object",
  required: ["kind", "meow"],
  properties: { kind: { const: "cat" }, meow: STRING },
};
const DOG = {
  type: "object",
  required: ["kind", "bark"],
  properties: { kind: { const: "dog" }, bark: STRING },
};
const CLOSED = { additionalProperties: false };
const TREE = { type: "object", properties: { name: STRING, children: { type: "array", items: to("Tree") } } };

/** What is sent, and the pointers of the members that are removed. */
type Case = readonly [name: string, given: Given, body: unknown, sent: unknown, removed: readonly string[]];

const REMOVED: readonly Case[] = [
  ["a member", { schema: ID }, { id: 1, passwordHash: "s" }, { id: 1 }, ["/passwordHash"]],
  ["a member before a declared one", { schema: ID }, { hash: "s", id: 1 }, { id: 1 }, ["/hash"]],
  ...(["string", "null"] as const).flatMap((type): Case[] => [
    [
      `a member where no alternative matches and one is a ${type}`,
      { schema: { oneOf: [CAT, DOG, { type }] } },
      { kind: "cat", meow: 1, hash: "s" },
      { kind: "cat", meow: 1 },
      ["/hash"],
    ],
    [
      `a member where the discriminator selects nothing and one alternative is a ${type}`,
      {
        schema: { discriminator: { propertyName: "kind" }, anyOf: [to("cat"), to("dog"), { type }] },
        schemas: { cat: CAT, dog: DOG },
      },
      { kind: "cow", hash: "s" },
      { kind: "cow" },
      ["/hash"],
    ],
  ]),
  ["items of an array in place of an object", { schema: ID }, [{ secret: "s" }], [], ["/0"]],
  ["items of an inner array", { schema: { type: "array", items: ID } }, [[{ secret: "s" }]], [[]], ["/0/0"]],
  [
    "an object in place of an array",
    { schema: { type: "array", items: ID } },
    { 0: { secret: "s" } },
    {},
    ["/0"],
  ],
  [
    "an object in place of texts",
    { schema: { type: "array", items: STRING } },
    { secret: "s" },
    {},
    ["/secret"],
  ],
  [
    "an array in place of a member",
    { schema: { properties: { in: ID } } },
    { in: [{ secret: "s" }] },
    { in: [] },
    ["/in/0"],
  ],
  [
    "a member __proto__",
    { schema: ID },
    JSON.parse('{"id":1,"__proto__":{"a":1}}'),
    { id: 1 },
    ["/__proto__"],
  ],
  ["a name with characters of pointers", { schema: ID }, { "a/b~c": 1 }, {}, ["/a~1b~0c"]],
  [
    "a nested member",
    { schema: { type: "object", properties: { owner: ID, name: STRING } } },
    { name: "n", owner: { id: 1, key: "s" } },
    { name: "n", owner: { id: 1 } },
    ["/owner/key"],
  ],
  [
    "members of items",
    { schema: { type: "array", items: ID } },
    [{ id: 1 }, { id: 2, key: "s" }, { key: "s" }],
    [{ id: 1 }, { id: 2 }, {}],
    ["/1/key", "/2/key"],
  ],
  [
    "members of prefixItems and of the items after them",
    { schema: { type: "array", prefixItems: [ID, STRING], items: { properties: { name: STRING } } } },
    [{ id: 1, name: "s" }, "a", { id: 1, name: "n" }],
    [{ id: 1 }, "a", { name: "n" }],
    ["/0/name", "/2/id"],
  ],
  [
    "behind references, in a schema that contains itself",
    { schema: to("Tree"), schemas: { Tree: TREE } },
    { name: "a", children: [{ name: "b", children: [{ name: "c", key: "s" }] }] },
    { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] },
    ["/children/0/children/0/key"],
  ],
  [
    "a member that no part of allOf declares",
    { schema: { allOf: [ID, { type: "object", properties: { name: STRING } }], properties: { age: {} } } },
    { id: 1, name: "n", age: 2, key: "s" },
    { id: 1, name: "n", age: 2 },
    ["/key"],
  ],
  [
    "a nested member that no part of allOf declares",
    {
      schema: {
        allOf: [{ properties: { in: ID } }, { properties: { in: { properties: { name: STRING } } } }],
      },
    },
    { in: { id: 1, name: "n", key: "s" } },
    { in: { id: 1, name: "n" } },
    ["/in/key"],
  ],
  [
    "a member of another alternative of oneOf",
    { schema: { oneOf: [CAT, DOG] } },
    { kind: "cat", meow: "m", bark: "s" },
    { kind: "cat", meow: "m" },
    ["/bark"],
  ],
  [
    "a member that no matching alternative of anyOf declares",
    {
      schema: {
        anyOf: [ID, { properties: { name: STRING } }, { required: ["x"], properties: { x: {}, key: {} } }],
      },
    },
    { id: 1, name: "n", key: "s" },
    { id: 1, name: "n" },
    ["/key"],
  ],
  [
    "a member of another alternative, with a discriminator, though the value has a mistake",
    {
      schema: { oneOf: [to("Cat"), to("Dog")], discriminator: { propertyName: "kind" } },
      schemas: {
        Cat: { ...CAT, properties: { ...CAT.properties, kind: STRING } },
        Dog: { ...DOG, properties: { ...DOG.properties, kind: STRING } },
      },
    },
    { kind: "Cat", meow: 1, bark: "s" },
    { kind: "Cat", meow: 1 },
    ["/bark"],
  ],
  [
    "a member that no alternative declares, where none matches",
    { schema: { oneOf: [CAT, DOG] } },
    { kind: "cow", meow: "m", bark: "b", key: "s" },
    { kind: "cow", meow: "m", bark: "b" },
    ["/key"],
  ],
  [
    "beside the only alternative for objects",
    { schema: { oneOf: [ID, { type: "null" }, STRING, { type: "array", items: DOG }] } },
    { id: 1, key: "s" },
    { id: 1 },
    ["/key"],
  ],
  [
    "of the alternative for arrays",
    { schema: { oneOf: [ID, { type: "array", items: ID }] } },
    [{ id: 1, key: "s" }],
    [{ id: 1 }],
    ["/0/key"],
  ],
  [
    "an extra member of the alternative that allows no others",
    {
      schema: {
        oneOf: [
          { ...CAT, ...CLOSED },
          { ...DOG, ...CLOSED },
        ],
      },
    },
    { kind: "dog", bark: "b", meow: "s", key: "s" },
    { kind: "dog", bark: "b" },
    ["/meow", "/key"],
  ],
  [
    "in OpenAPI 3.0, beside nullable",
    { openapi: "3.0.3", schema: { ...to("Id"), nullable: true }, schemas: { Id: { ...ID, nullable: true } } },
    { id: 1, key: "s" },
    { id: 1 },
    ["/key"],
  ],
  [
    "a member of a hierarchy's other heir",
    {
      schema: to("Pet"),
      schemas: {
        Pet: {
          type: "object",
          required: ["kind"],
          properties: { kind: STRING },
          discriminator: { propertyName: "kind" },
        },
        Cat: { allOf: [to("Pet"), { type: "object", properties: { meow: STRING } }] },
        Dog: { allOf: [to("Pet"), { type: "object", properties: { bark: STRING } }] },
      },
    },
    { kind: "Cat", meow: "m", bark: "s" },
    { kind: "Cat", meow: "m" },
    ["/bark"],
  ],
  [
    "what then declares, where else applies",
    {
      schema: {
        properties: { country: STRING },
        if: { properties: { country: { const: "DE" } } },
        then: { properties: { iban: STRING } },
        else: { properties: { routing: STRING } },
      },
    },
    { country: "US", iban: "s", routing: "r" },
    { country: "US", routing: "r" },
    ["/iban"],
  ],
  [
    "what a dependent schema declares, without the property",
    { schema: { ...ID, dependentSchemas: { id: { properties: { name: STRING } } } } },
    { name: "s" },
    {},
    ["/name"],
  ],
  [
    "with additionalProperties: false",
    { schema: { ...ID, ...CLOSED } },
    { id: 1, key: "s" },
    { id: 1 },
    ["/key"],
  ],
  [
    "with additionalProperties: false alone",
    { schema: { type: "object", ...CLOSED } },
    { key: "s" },
    {},
    ["/key"],
  ],
  [
    "with unevaluatedProperties: false",
    { schema: { allOf: [ID], unevaluatedProperties: false } },
    { id: 1, key: "s" },
    { id: 1 },
    ["/key"],
  ],
  [
    "a name that fits no pattern",
    { schema: { ...ID, patternProperties: { "^x-": ID } } },
    { id: 1, "x-a": { id: 1, key: "s" }, key: "s" },
    { id: 1, "x-a": { id: 1 } },
    ["/x-a/key", "/key"],
  ],
  [
    "in the values of a map",
    { schema: { type: "object", additionalProperties: ID } },
    { a: { id: 1 }, b: { id: 2, key: "s" } },
    { a: { id: 1 }, b: { id: 2 } },
    ["/b/key"],
  ],
];

const KEPT: readonly (readonly [name: string, given: Given, body: unknown])[] = [
  ["additionalProperties: true", { schema: { ...ID, additionalProperties: true } }, { id: 1, a: 1 }],
  ["additionalProperties: a schema", { schema: { ...ID, additionalProperties: STRING } }, { id: 1, a: "b" }],
  [
    "additionalProperties in a part",
    { schema: { allOf: [ID, { additionalProperties: true }] } },
    { id: 1, a: 1 },
  ],
  [
    "unevaluatedProperties: a schema",
    { schema: { ...ID, unevaluatedProperties: STRING } },
    { id: 1, a: "b" },
  ],
  ["patternProperties without properties", { schema: { patternProperties: { "^x": STRING } } }, { a: 1 }],
  ["an object without properties", { schema: { type: "object", required: ["a"] } }, { a: { b: 1 } }],
  ["an object with no property in properties", { schema: { type: "object", properties: {} } }, { a: 1 }],
  ["any value", { schema: {} }, { a: 1 }],
  ["an alternative for any object", { schema: { anyOf: [ID, { type: "object" }] } }, { id: 1, a: 1 }],
  ["oneOf: the other alternative", { schema: { oneOf: [CAT, DOG] } }, { kind: "dog", bark: "b" }],
  [
    "anyOf: an alternative that matches with a Date",
    { schema: { anyOf: [ID, { properties: { at: { type: "string", format: "date-time" } } }] } },
    { id: 1, at: new Date("2026-01-01T00:00:00.000Z") },
  ],
  [
    "if: a property that only the condition mentions",
    { schema: { ...ID, if: { properties: { kind: { const: 1 } } }, then: { properties: { a: {} } } } },
    { id: 1, kind: 2 },
  ],
  [
    "a dependent schema's member",
    { schema: { ...ID, dependentSchemas: { id: { properties: { name: STRING } } } } },
    { id: 1, name: "n" },
  ],
  [
    "a property __proto__",
    { schema: JSON.parse('{"properties":{"__proto__":{}}}') as object },
    JSON.parse('{"__proto__":1}'),
  ],
  ["a $dynamicRef", { schema: { ...ID, $dynamicRef: "#node" } }, { id: 1, a: 1 }],
  ["members in any order", { schema: { ...CAT } }, { meow: "m", kind: "cat" }],
];

describe("undeclared members are removed and reported", () => {
  test.each(REMOVED)("%s", async (_, given, body, sent, removed) => {
    const before = structuredClone(body);
    const served = await serve(body, given);
    expect(served).toMatchObject({ status: 200, problems: removed.map((at) => `${at} is not declared`) });
    expect(served.body).toStrictEqual(sent);
    expect(body).toStrictEqual(before);
  });

  test.each(KEPT)("kept: %s", async (_, given, body) => {
    expect(await serve(body, given)).toMatchObject({
      status: 200,
      problems: [],
      body: JSON.parse(JSON.stringify(body)) as object,
    });
  });

  test.each(["oneOf", "anyOf"])("below 60 levels of %s that matches nowhere", async (keyword) => {
    const alternative = (name: string) => ({
      type: "object",
      required: [name],
      properties: { [name]: { type: "integer" }, child: to("Node") },
      ...CLOSED,
    });
    const schemas = { Node: { [keyword]: [alternative("a"), alternative("b")] } };
    let body: object = { a: "wrong", secret: "s" };
    for (let level = 0; level < 60; level += 1) body = { a: 1, child: body, secret: "s" };
    const served = await serve(body, { schema: to("Node"), schemas });
    expect(JSON.stringify(served.body)).not.toContain("secret");
    expect(served.problems.at(-1)).toBe("41 more members are not declared");
  });

  test("writeOnly properties, even if others may be there", async () => {
    const schema = { properties: { id: {}, secret: { writeOnly: true } }, additionalProperties: true };
    expect(await serve({ id: 1, secret: "s", more: 1 }, { schema })).toMatchObject({
      body: { id: 1, more: 1 },
      problems: ["/secret is writeOnly"],
    });
  });

  test("a property with the schema false", async () => {
    const { body, problems } = await serve(
      { id: 1, gone: 2 },
      { schema: { properties: { id: {}, gone: false } } },
    );
    expect([body, problems]).toEqual([{ id: 1 }, ["/gone is not declared"]]);
  });

  test("values that JSON.stringify converts or omits", async () => {
    class Pet {
      readonly #secret = "s";
      readonly id = 1;
      readonly hash = this.#secret;
      get name(): string {
        return String(this.id);
      }
    }
    const schema = {
      type: "object",
      properties: { pet: ID, at: { type: "string" }, made: ID, self: ID, list: { type: "array", items: ID } },
    };
    const body = {
      pet: new Pet(),
      at: new Date(0),
      made: { toJSON: (key: string) => ({ id: key, key: "s" }) },
      self: Object.assign(Object.create({ inherited: 1 }) as object, {
        id: 1,
        toJSON(this: object) {
          return this;
        },
      }),
      list: [{ id: 1, missing: undefined, call: () => 1, [Symbol("s")]: 1 }, undefined],
      missing: undefined,
    };
    const served = await serve(body, { schema });
    expect(served.body).toStrictEqual({
      pet: { id: 1 },
      at: "1970-01-01T00:00:00.000Z",
      made: { id: "made" },
      self: { id: 1 },
      list: [{ id: 1 }, null],
    });
    expect(served.problems).toEqual(["/pet/hash is not declared", "/made/key is not declared"]);
  });

  test("at most 20 are named, and the others are counted", async () => {
    const { problems } = await serve(
      Array.from({ length: 100 }, () => ({ id: 1, key: "s" })),
      { schema: { type: "array", items: ID } },
    );
    expect(problems).toHaveLength(21);
    expect(problems.slice(19)).toEqual(["/19/key is not declared", "80 more members are not declared"]);
  });
});

describe("the options", () => {
  const given = (options: Given["options"]): Given => ({ schema: ID, ...(options && { options }) });
  const body = { id: "x", passwordHash: "secret" };

  test("enforce: 500, and neither the response nor the log has the value", async () => {
    const served = await serve(body, given({ responseValidation: "enforce" }));
    const text = "/passwordHash is not declared; /id must be an integer";
    expect(served.status).toBe(500);
    expect(served.problems).toEqual(text.split("; "));
    expect(served.service.failures.map(({ error }) => String(error))).toEqual([
      `Error: The response of "getX" is not as declared: ${text}`,
    ]);
    expect(JSON.stringify([served.body, served.problems])).not.toContain("secret");
  });

  test("report: sent without the member, which is reported even if the response is not in the sample", async () => {
    const document = given({ responseValidation: "report", responseSampling: 2 });
    expect(await serve(body, document)).toMatchObject({
      status: 200,
      body: { id: "x" },
      problems: ["/passwordHash is not declared", "/id must be an integer"],
    });
  });

  test('undeclaredProperties: "send" sends them, and additionalProperties: false is still validated', async () => {
    const send = { undeclaredProperties: "send", responseValidation: "report" };
    expect(await serve(body, given(send))).toMatchObject({ body, problems: ["/id must be an integer"] });
    expect(await serve({ key: 1 }, { schema: { ...ID, ...CLOSED }, options: send })).toMatchObject({
      body: { key: 1 },
      problems: ["/key is unknown"],
    });
  });

  test("another value does not start", async () => {
    await expect(serve({}, given({ undeclaredProperties: "keep" }))).rejects.toThrow(RangeError);
  });
});
