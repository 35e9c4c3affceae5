import { afterAll, describe, expect, test } from "@jest/globals";
import { createSchemaBook, type Side } from "../../../src/cli/values/book.js";
import { toUnicodePattern } from "../../../src/cli/verify/schema/pattern.js";
import { createJudge, type Judge } from "../../../src/cli/verify/schema/judge.js";

const judges: Judge[] = [];

afterAll(() => {
  for (const judge of judges) judge.close();
});

/** What is wrong with values by a schema of OpenAPI; components are beside it. */
async function judge(
  openapi: "3.0.3" | "3.1.0",
  side: Side,
  schema: object,
  schemas: object = {},
): Promise<(value: unknown) => string | undefined> {
  const book = createSchemaBook({ openapi, components: { schemas } }, side, toUnicodePattern);
  const key = book.add(schema);
  const created = createJudge(book);
  judges.push(created);
  await created.prepare([key]);
  return (value) => created.find(key, value)?.message;
}

describe("OpenAPI 3.0", () => {
  test("nullable allows null, beside an enum and around a composition too", async () => {
    const find = await judge("3.0.3", "response", { type: "string", enum: ["a"], nullable: true });
    expect([find("a"), find(null), find("b")]).toEqual([undefined, undefined, expect.any(String)]);
    const composed = await judge("3.0.3", "response", { allOf: [{ type: "integer" }], nullable: true });
    expect([composed(1), composed(null), composed("1")]).toEqual([undefined, undefined, expect.any(String)]);
  });

  test("an exclusive bound is a word about the other", async () => {
    const find = await judge("3.0.3", "response", {
      type: "number",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: false,
    });
    expect([find(0.1), find(9)]).toEqual([undefined, undefined]);
    expect(find(0)).toBe("The value is 0; the contract says exclusiveMinimum 0");
  });

  test("what is beside a reference is not there", async () => {
    const schema = { $ref: "#/components/schemas/Name", maxLength: 1 };
    const name = { Name: { type: "string" } };
    expect((await judge("3.0.3", "response", schema, name))("long")).toBeUndefined();
    expect((await judge("3.1.0", "response", schema, name))("long")).toMatch(/maxLength 1/);
  });
});

describe("sides", () => {
  const schema = {
    type: "object",
    required: ["id", "secret", "name"],
    properties: {
      id: { type: "integer", readOnly: true },
      secret: { type: "string", writeOnly: true },
      name: { type: "string" },
    },
  };

  test("a request lacks what is readOnly, a response what is writeOnly", async () => {
    expect((await judge("3.1.0", "request", schema))({ secret: "s", name: "n" })).toBeUndefined();
    expect((await judge("3.1.0", "response", schema))({ id: 1, name: "n" })).toBeUndefined();
  });

  test("a response that has what is writeOnly tells what it should keep", async () => {
    const find = await judge("3.1.0", "response", schema);
    expect(find({ id: 1, name: "n", secret: "s" })).toBe('"/secret" is "s"; nothing is allowed there');
  });
});

describe("what it says is wrong", () => {
  test.each([
    [{ type: "object", required: ["a", "b"] }, { a: 1 }, 'The value is {"a":1}; it lacks "b"'],
    [
      { type: "array", items: { type: "integer" } },
      [1, "2"],
      '"/1" is "2"; the contract says type ["integer"]',
    ],
    [{ properties: { "a/b": { maximum: 3 } } }, { "a/b": 4 }, '"/a~1b" is 4; the contract says maximum 3'],
    [
      { anyOf: [{ type: "integer" }, { type: "null" }] },
      "x",
      'The value is "x"; the contract says type ["integer"]',
    ],
  ])("%j of %j", async (schema, value, message) => {
    expect((await judge("3.1.0", "response", schema))(value)).toBe(message);
  });

  test("a discriminator says which alternative is meant", async () => {
    const kind = (name: string) => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: [name] }, [name]: { type: "integer" } },
    });
    const schema = {
      oneOf: [{ $ref: "#/components/schemas/cat" }, { $ref: "#/components/schemas/dog" }],
      discriminator: { propertyName: "kind" },
    };
    const find = await judge("3.1.0", "response", schema, { cat: kind("cat"), dog: kind("dog") });
    expect([find({ kind: "cat", cat: 1 }), find({ kind: "dog", cat: "any" })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(find({ kind: "cat", cat: "one" })).toMatch(/type \["integer"\]/);
  });

  test("patterns with escapes of old are read, and those that are none say nothing", async () => {
    const find = await judge("3.1.0", "response", {
      properties: { a: { pattern: "^\\_x$" }, b: { pattern: "(" } },
    });
    expect(find({ a: "_x", b: "any" })).toBeUndefined();
    expect(find({ a: "x" })).toMatch(/pattern/);
  });

  test("dates that no client could read are wrong in a response", async () => {
    const find = await judge("3.1.0", "response", { type: "string", format: "date-time" });
    expect([find("2026-11-21T12:00:00Z"), find("2026-11-21T12:00:00.5+01:00")]).toEqual([
      undefined,
      undefined,
    ]);
    expect(find("yesterday")).toMatch(/pattern/);
  });
});

test("every fault is listed, those of alternatives by the one that says most", async () => {
  const book = createSchemaBook({ openapi: "3.1.0" }, "request", toUnicodePattern);
  const key = book.add({
    type: "object",
    required: ["name"],
    properties: {
      size: { type: "integer", minimum: 3, multipleOf: 2 },
      either: { anyOf: [{ type: "string" }, { type: "object", properties: { x: { type: "integer" } } }] },
    },
  });
  const created = createJudge(book);
  judges.push(created);
  await created.prepare([key]);
  const faults = created.list(key, { size: 1, either: { x: "y" } });
  expect(faults.map(({ at, keyword }) => `${at} ${keyword}`).sort()).toEqual([
    " required",
    "/either/x type",
    "/size minimum",
    "/size multipleOf",
  ]);
  expect(created.list(key, { name: "a" })).toEqual([]);
});
