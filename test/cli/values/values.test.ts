import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import fc from "fast-check";
import { createValues, flatten, toNumbers, toStrings } from "../../../src/cli/values/index.js";
import { SchemaRegistry, type Side, toJsonSchema } from "../../../src/tenon/core/schema/index.js";
import { COMPONENTS, SCHEMAS } from "./schemas.js";

const LEAVES = { strings: toStrings, numbers: toNumbers };

function toRegistry(schema: unknown): SchemaRegistry {
  return new SchemaRegistry({ openapi: "3.1.0", components: { schemas: { ...COMPONENTS, Own: schema } } });
}

/** Makes values of a schema of OpenAPI 3.1, the same for the same seed. */
function sample(
  schema: unknown,
  options: {
    readonly side?: Side;
    readonly examples?: number;
    readonly optional?: number;
    readonly variety?: "json" | "text";
    readonly count: number;
  },
): readonly unknown[] {
  const { side = "response", examples = 0, optional = 1, count, variety } = options;
  const registry = toRegistry(schema);
  const make = createValues({
    ...{ registry, side, leaves: LEAVES, examples, optional },
    ...(variety && { variety }),
  });
  const values = make(registry.component("Own"));
  return values === undefined ? [] : fc.sample(values, { seed: 1, numRuns: count });
}

/** A validator that is not the one of the command: of the response. */
function createIsValid(schema: unknown): (value: unknown) => boolean {
  const registry = toRegistry(schema);
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    validateFormats: false,
    validateSchema: false,
    multipleOfPrecision: 9,
    code: { regExp: Object.assign((text: string) => toRegExp(text), { code: "" }) },
  });
  const toUri = (reference: string) => `schema:${registry.nameOf(reference) ?? ""}`;
  for (const name of registry.names) {
    const written = toJsonSchema(registry.component(name), { registry, side: "response", toUri });
    ajv.addSchema(typeof written === "boolean" ? { allOf: [written] } : written, `schema:${name}`);
  }
  const validate = ajv.getSchema("schema:Own");
  return (value) => validate?.(value) === true;
}

function toRegExp(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text);
  }
}

describe("values of a schema", () => {
  test.each(SCHEMAS)("%s: a valid value is among those of each way to make them", (_, schema) => {
    const isValid = createIsValid(schema);
    for (const optional of [1, 0.5]) {
      const values = sample(schema, { optional, count: 100 });
      expect(values).toHaveLength(100);
      expect(values.some(isValid)).toBe(true);
    }
  });

  test("a variety of values has every type that the schema leaves open, and empty arrays", () => {
    const kinds = (variety?: "json" | "text") =>
      new Set(
        sample(
          { type: ["array", "null"], items: {} },
          { optional: 0.5, count: 300, ...(variety && { variety }) },
        )
          .flatMap((value) => (Array.isArray(value) && value.length > 0 ? (value as unknown[]) : [value]))
          .map((value) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value)),
      );
    expect([...kinds()].toSorted()).toEqual(["null", "string"]);
    expect([...kinds("json")].toSorted()).toEqual(["array", "boolean", "null", "number", "object", "string"]);
    expect([...kinds("text")].toSorted()).toEqual(["array", "boolean", "number", "object", "string"]);
    const lists = (variety: "json" | "text") =>
      sample({ type: "array", items: { type: "string" } }, { optional: 0.5, count: 100, variety });
    expect(lists("json")).toContainEqual([]);
    expect(lists("text")).not.toContainEqual([]);
    expect(sample({ enum: ["a", null] }, { count: 50, variety: "text" })).not.toContain(null);
  });

  test("every value is valid where each keyword can be satisfied on its own", () => {
    const schema = {
      type: "object",
      required: ["id", "tags"],
      properties: {
        id: { type: "integer", minimum: 1, maximum: 9 },
        name: { type: ["string", "null"], maxLength: 5 },
        tags: { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 1 },
        pet: { $ref: "#/components/schemas/Animal" },
      },
      additionalProperties: false,
    };
    const isValid = createIsValid(schema);
    expect(sample(schema, { optional: 0.5, count: 200 }).filter((value) => !isValid(value))).toEqual([]);
  });

  test.each([
    ["fewer items than it requires", { type: "array", minItems: 5, maxItems: 3 }],
    ["a required property without a value", { type: "object", required: ["a"], properties: { a: false } }],
    ["types that exclude each other", { allOf: [{ type: "string" }, { type: "integer" }] }],
    [
      "itself without end",
      { type: "object", required: ["own"], properties: { own: { $ref: "#/components/schemas/Own" } } },
    ],
  ])("a schema that allows %s has none", (_, schema) => {
    expect(sample(schema, { count: 1 })).toEqual([]);
  });

  test("examples are taken as often as asked, and those of a part are not those of the whole", () => {
    const schema = {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "integer", examples: [-7] }, b: { type: "integer", default: -8 } },
    };
    expect(sample(schema, { examples: 1, count: 1 })).toEqual([{ a: -7, b: -8 }]);
    expect(sample(schema, { examples: 0, count: 1 })).not.toEqual([{ a: -7, b: -8 }]);
    const whole = { allOf: [{ ...schema, examples: [{ a: 1, b: 2 }] }, { required: ["c"] }] };
    for (const value of sample(whole, { examples: 1, count: 5 })) expect(value).toHaveProperty("c");
  });

  test("a side lacks what it never sends", () => {
    const schema = {
      allOf: [
        { required: ["id", "secret", "name"] },
        {
          type: "object",
          properties: {
            id: { type: "integer", readOnly: true },
            secret: { type: "string", writeOnly: true },
            name: { type: "string" },
          },
        },
      ],
    };
    const keys = (side: Side) =>
      sample(schema, { side, count: 5 }).map((value) => Object.keys(value as object));
    for (const names of keys("request")) expect(names.sort()).toEqual(["name", "secret"]);
    for (const names of keys("response")) expect(names.sort()).toEqual(["id", "name"]);
  });

  test("strings look like their names and formats say", () => {
    const text = { type: "string" };
    const schema = {
      type: "object",
      required: ["firstName", "email", "createdAt", "day"],
      properties: { firstName: text, email: text, createdAt: text, day: { ...text, format: "date" } },
    };
    for (const value of sample(schema, { count: 5 })) {
      expect(value).toEqual({
        firstName: expect.stringMatching(/^[A-Z][a-z]+$/) as unknown,
        email: expect.stringMatching(/^[a-z]+\.[a-z]+@example\.com$/) as unknown,
        createdAt: expect.stringMatching(/^202\d-\d\d-\d\dT[\d:]{8}Z$/) as unknown,
        day: expect.stringMatching(/^202\d-\d\d-\d\d$/) as unknown,
      });
    }
  });
});

describe("a flat schema", () => {
  test("has what all parts say, and its alternatives as choices", () => {
    const registry = toRegistry({
      allOf: [
        { type: "object", properties: { a: { type: "integer" } }, required: ["a"], maxProperties: 5 },
        { properties: { a: { minimum: 1 } }, required: ["b"], maxProperties: 3 },
      ],
      oneOf: [{ required: ["c"] }, { required: ["d"] }],
    });
    const view = { registry, side: "request" } as const;
    const flat = flatten(registry.component("Own"), view);
    expect(flat).toMatchObject({ type: ["object"], required: ["a", "b"], maxProperties: 3 });
    expect(flat.choices).toHaveLength(1);
    const { a = { pointer: "" } } = flat.properties ?? {};
    expect(flatten(a, view)).toMatchObject({ type: ["integer"], minimum: 1 });
  });
});
