import { describe, expect, test } from "@jest/globals";
import { SchemaRegistry } from "../../../src/tenon/core/schema/registry.js";
import type { Schema } from "../../../src/tenon/core/schema/schema.js";

const B = { reference: "#/components/schemas/B" };
const refB = { $ref: "#/components/schemas/B" };

function read(schema: unknown, openapi: string): Schema {
  const document = { openapi, components: { schemas: { A: schema, B: { type: "string" } } } };
  return new SchemaRegistry(document).component("A");
}

/** Without the pointers, which have a test of their own. */
function withoutPointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPointers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "pointer");
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutPointers(member)]));
}

describe("in both versions", () => {
  test.each<[string, unknown, object]>([
    ["a reference stays one", refB, B],
    ["a reference may be escaped", { $ref: "#/components/schemas/%42" }, B],
    ["a type is a list", { type: "string" }, { type: ["string"] }],
    ["const is an enum of one", { const: "a" }, { enum: ["a"] }],
    ["a const of null is an enum of it", { const: null }, { enum: [null] }],
    ["an empty enum restricts nothing", { enum: [] }, {}],
    ["a default of null is a default", { default: null }, { default: null }],
    ["example is one of the examples", { example: 1 }, { examples: [1] }],
    ["$ref in const is data", { const: { $ref: "#/x" } }, { enum: [{ $ref: "#/x" }] }],
    ["$ref in enum is data", { enum: [{ $ref: "#/x" }] }, { enum: [{ $ref: "#/x" }] }],
    [
      "$ref in default and example is data",
      { default: { $ref: "#/x" }, example: { $ref: "#/x" } },
      { default: { $ref: "#/x" }, examples: [{ $ref: "#/x" }] },
    ],
    ["false allows nothing", { items: false }, { type: ["array"], items: { never: true } }],
    ["true allows anything", { items: true }, { type: ["array"], items: {} }],
    ["properties mean an object", { properties: {} }, { type: ["object"], properties: {} }],
    ["properties beside an enum mean nothing", { properties: {}, enum: [1] }, { properties: {}, enum: [1] }],
    [
      "properties in a condition mean nothing",
      { type: "object", if: { properties: { a: { properties: {} } } } },
      { type: ["object"], if: { properties: { a: { properties: {} } } } },
    ],
    [
      "a property may be called anything",
      { properties: { constructor: {}, $ref: { type: "string" } }, required: ["constructor", "other"] },
      {
        type: ["object"],
        properties: Object.fromEntries([
          ["constructor", {}],
          ["$ref", { type: ["string"] }],
        ]),
        required: ["constructor", "other"],
      },
    ],
    [
      "a discriminator's mapping may name components",
      { oneOf: [refB], discriminator: { propertyName: "kind", mapping: { b: "B", c: refB.$ref, d: "D" } } },
      {
        oneOf: [B],
        discriminator: {
          propertyName: "kind",
          mapping: [
            ["b", B.reference],
            ["c", B.reference],
          ],
        },
      },
    ],
  ])("%s", (_, given, want) => {
    for (const openapi of ["3.0.3", "3.1.0"]) expect(withoutPointers(read(given, openapi))).toEqual(want);
  });
});

describe("in 3.1", () => {
  test.each<[string, object, object]>([
    ["siblings of a reference hold, too", { ...refB, default: 1 }, { ...B, default: 1 }],
    ["nullable says nothing", { type: "string", nullable: true }, { type: ["string"] }],
    ["a bound may be exclusive", { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    ["what a text decodes to is a schema", { contentSchema: { const: 1 } }, { contentSchema: { enum: [1] } }],
    ["a dynamic reference stays what it is", { $dynamicRef: "#item" }, { dynamicReference: "#item" }],
  ])("%s", (_, given, want) => {
    expect(withoutPointers(read(given, "3.1.0"))).toEqual(want);
  });
});

describe("in 3.0", () => {
  test.each<[string, object, object]>([
    ["siblings of a reference are ignored", { ...refB, default: 1 }, B],
    ["nullable is a type", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable is a type beside one that is implied",
      { items: {}, nullable: true },
      { type: ["array", "null"], items: {} },
    ],
    [
      "nullable beside an enum adds null to it",
      { type: "string", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable beside a composition is an alternative",
      { allOf: [refB], nullable: true, description: "B or null." },
      { description: "B or null.", anyOf: [{ allOf: [B] }, { type: ["null"] }] },
    ],
    ["nullable without a type is an alternative", { nullable: true }, { anyOf: [{}, { type: ["null"] }] }],
    [
      "a boolean bound makes the other exclusive",
      { minimum: 1, exclusiveMinimum: true },
      { exclusiveMinimum: 1 },
    ],
    ["a boolean bound may leave the other", { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  ])("%s", (_, given, want) => {
    expect(withoutPointers(read(given, "3.0.3"))).toEqual(want);
  });
});

test("every schema has the pointer of its place", () => {
  const given = { type: "object", properties: { "a/b%": { anyOf: [{ type: "string" }] } } };
  expect(read(given, "3.1.0").properties?.["a/b%"]?.anyOf?.[0]?.pointer).toBe(
    "#/components/schemas/A/properties/a~1b%25/anyOf/0",
  );
});

describe("a registry", () => {
  const schemas = {
    Pet: {
      discriminator: { propertyName: "kind" },
      properties: { kind: { const: "pet" } },
      minProperties: 1,
    },
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { required: ["claws"] }] },
    Age: { type: "integer", minimum: 1, exclusiveMinimum: true },
  };
  const registry = new SchemaRegistry({ openapi: "3.0.3", components: { schemas } });

  test("finds keywords where the author wrote them", () => {
    const age = registry.component("Age");
    expect(age.exclusiveMinimum).toBe(1);
    expect(registry.findKeyword(age, "minimum")).toBe("#/components/schemas/Age/minimum");
    expect(registry.findKeyword(age, "maximum")).toBeUndefined();
    expect(registry.findKeyword(registry.component("Pet"), "minProperties")).toBe(
      "#/components/schemas/Pet/minProperties",
    );
  });

  test("finds no keyword that is only implied", () => {
    const base = registry.component("Pet base");
    expect(base.type).toEqual(["object"]);
    expect(registry.findKeyword(base, "type")).toBeUndefined();
  });

  test("reads a schema once, however often it is asked for", () => {
    const owner = { node: { schema: {} }, pointer: "#/components/headers/A" };
    expect(registry.read(owner, "schema")).toBe(registry.read({ ...owner }, "schema"));
  });
});
