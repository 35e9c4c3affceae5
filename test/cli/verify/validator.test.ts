import { afterAll, describe, expect, test } from "@jest/globals";
import { createValidator, type Validator } from "../../../src/cli/verify/validator.js";
import { SchemaRegistry, type Side } from "../../../src/tenon/core/schema/index.js";

const validators: Validator[] = [];

afterAll(() => {
  for (const validator of validators) validator.close();
});

/** Prepares a schema of OpenAPI, beside components. */
async function prepare(openapi: "3.0.3" | "3.1.0", side: Side, schema: object, schemas: object = {}) {
  const registry = new SchemaRegistry({ openapi, components: { schemas: { ...schemas, Own: schema } } });
  const validator = createValidator({ registry, side });
  validators.push(validator);
  const own = registry.component("Own");
  await validator.prepare([own]);
  return { validator, own };
}

/** Finds what is invalid about values. */
async function createFind(
  openapi: "3.0.3" | "3.1.0",
  side: Side,
  schema: object,
  schemas: object = {},
): Promise<(value: unknown) => string | undefined> {
  const { validator, own } = await prepare(openapi, side, schema, schemas);
  return (value) => validator.find(own, value)?.message;
}

describe("OpenAPI 3.0", () => {
  test("nullable allows null, beside an enum and around a composition too", async () => {
    const find = await createFind("3.0.3", "response", { type: "string", enum: ["a"], nullable: true });
    expect([find("a"), find(null), find("b")]).toEqual([undefined, undefined, expect.any(String)]);
    const composed = await createFind("3.0.3", "response", { allOf: [{ type: "integer" }], nullable: true });
    expect([composed(1), composed(null), composed("1")]).toEqual([undefined, undefined, expect.any(String)]);
  });

  test("a boolean exclusive bound changes the other bound", async () => {
    const find = await createFind("3.0.3", "response", {
      type: "number",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: false,
    });
    expect([find(0.1), find(9)]).toEqual([undefined, undefined]);
    expect(find(0)).toBe("The value is 0; the contract says exclusiveMinimum 0");
  });

  test("keywords beside a reference are ignored, unlike in 3.1", async () => {
    const schema = { $ref: "#/components/schemas/Name", maxLength: 1 };
    const name = { Name: { type: "string" } };
    expect((await createFind("3.0.3", "response", schema, name))("long")).toBeUndefined();
    expect((await createFind("3.1.0", "response", schema, name))("long")).toMatch(/maxLength 1/);
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

  test("a request need not have readOnly properties, nor a response writeOnly ones", async () => {
    expect((await createFind("3.1.0", "request", schema))({ secret: "s", name: "n" })).toBeUndefined();
    expect((await createFind("3.1.0", "response", schema))({ id: 1, name: "n" })).toBeUndefined();
  });

  test("a response with a writeOnly property is invalid", async () => {
    const find = await createFind("3.1.0", "response", schema);
    expect(find({ id: 1, name: "n", secret: "s" })).toBe('"/secret" is "s"; nothing is allowed there');
  });
});

describe("messages", () => {
  test.each([
    [{ type: "object", required: ["a", "b"] }, { a: 1 }, 'The value is {"a":1}; it lacks "b"'],
    [
      { type: "array", items: { type: "integer" } },
      [1, "2"],
      '"/1" is "2"; the contract says type "integer"',
    ],
    [{ properties: { "a/b": { maximum: 3 } } }, { "a/b": 4 }, '"/a~1b" is 4; the contract says maximum 3'],
    [
      { anyOf: [{ type: "integer" }, { type: "null" }] },
      "x",
      'The value is "x"; the contract says type "integer"',
    ],
  ])("%j of %j", async (schema, value, message) => {
    expect((await createFind("3.1.0", "response", schema))(value)).toBe(message);
  });

  test("a discriminator chooses the alternative that has to match", async () => {
    const kind = (name: string) => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: [name] }, [name]: { type: "integer" } },
    });
    const schema = {
      oneOf: [{ $ref: "#/components/schemas/cat" }, { $ref: "#/components/schemas/dog" }],
      discriminator: { propertyName: "kind" },
    };
    const find = await createFind("3.1.0", "response", schema, { cat: kind("cat"), dog: kind("dog") });
    expect([find({ kind: "cat", cat: 1 }), find({ kind: "dog", cat: "any" })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(find({ kind: "cat", cat: "one" })).toMatch(/type "integer"/);
  });

  describe("of alternatives are about the one that the value means", () => {
    const kind = (name: string, type: string) => ({
      type: "object",
      required: ["kind"],
      properties: {
        kind: { type: "string", enum: [name] },
        owner: { type: "object", properties: { name: { type } } },
      },
    });
    const dog = { kind: "dog", owner: { name: "Ada" } };
    const schemas = { cat: kind("cat", "string"), dog: kind("dog", "integer") };
    const references = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const discriminator = { propertyName: "kind" };
    test.each([
      ["inline", { oneOf: Object.values(schemas), discriminator }],
      ["beside null", { oneOf: [...references, { type: "null" }], discriminator }],
      ["without a discriminator", { anyOf: references }],
      ["of another type", { oneOf: [{ type: "string" }, schemas.cat, schemas.dog] }],
    ])("%s", async (_, schema) => {
      const find = await createFind("3.1.0", "response", schema, schemas);
      expect(find(dog)).toBe('"/owner/name" is "Ada"; the contract says type "integer"');
      // The other alternative has an error as deep.
      expect(find({ ...dog, kind: "cat", owner: { name: 1 } })).toBe(
        '"/owner/name" is 1; the contract says type "string"',
      );
      expect(find({ kind: "dog", owner: 1 })).toBe('"/owner" is 1; the contract says type "object"');
    });

    test("several that match are too many", async () => {
      const find = await createFind("3.1.0", "response", {
        oneOf: [{ type: "integer" }, { type: "number" }, { type: "object" }],
      });
      expect(find(1)).toBe("The value is 1; it does not match exactly one alternative of oneOf");
    });
  });

  test("patterns with superfluous escapes are checked, invalid ones are ignored", async () => {
    const find = await createFind("3.1.0", "response", {
      properties: { a: { pattern: "^\\_x$" }, b: { pattern: "(" } },
    });
    expect(find({ a: "_x", b: "any" })).toBeUndefined();
    expect(find({ a: "x" })).toMatch(/pattern/);
  });

  test("dates that clients cannot parse are invalid in a response", async () => {
    const find = await createFind("3.1.0", "response", { type: "string", format: "date-time" });
    expect([find("2026-11-21T12:00:00Z"), find("2026-11-21T12:00:00.5+01:00")]).toEqual([
      undefined,
      undefined,
    ]);
    expect(find("yesterday")).toBe('The value is "yesterday"; the contract says format "date-time"');
  });
});

test("every violation is listed, those of alternatives by the most specific", async () => {
  const { validator, own } = await prepare("3.1.0", "request", {
    type: "object",
    required: ["name"],
    properties: {
      size: { type: "integer", minimum: 3, multipleOf: 2 },
      either: { anyOf: [{ type: "string" }, { type: "object", properties: { x: { type: "integer" } } }] },
    },
  });
  const violations = validator.list(own, { size: 1, either: { x: "y" } });
  expect(violations.map(({ at, keyword }) => `${at} ${keyword}`).sort()).toEqual([
    " required",
    "/either/x type",
    "/size minimum",
    "/size multipleOf",
  ]);
  expect(validator.list(own, { name: "a" })).toEqual([]);
});

test("a value that overflows the stack is invalid, and says so", async () => {
  const schema = {
    type: "object",
    properties: { child: { oneOf: [{ type: "null" }, { $ref: "#/components/schemas/Own" }] } },
  };
  const { validator, own } = await prepare("3.1.0", "response", schema);
  const nest = (depth: number) =>
    JSON.parse(`${'{"child":'.repeat(depth)}null${"}".repeat(depth)}`) as unknown;
  const message = "The value is nested too deep to be validated";
  expect(validator.find(own, nest(50))).toBeUndefined();
  expect(validator.find(own, nest(20_000))).toMatchObject({ message });
  expect(validator.list(own, nest(20_000))).toMatchObject([{ message }]);
});
