import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createSamples } from "../../../src/cli/docs/samples/samples.js";
import {
  createValues,
  explainTooLarge,
  type SchemaView,
  toNumbers,
  toStrings,
} from "../../../src/cli/values/index.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { SchemaRegistry } from "../../../src/tenon/core/schema/index.js";
import { serve, toDocument, toRouted } from "../mock/serve.js";
import { verifyServer } from "../verify/run.js";

const nest = (levels: number, minItems: number): object =>
  levels === 0 ? { type: "integer" } : { type: "array", minItems, items: nest(levels - 1, minItems) };

/** Schemas whose smallest value is too large, and where the part is that requires it. */
const TOO_LARGE: Readonly<Record<string, readonly [schema: object, place: string]>> = {
  minItems: [{ type: "array", minItems: 100_000_000, items: { type: "integer" } }, ""],
  uniqueItems: [{ type: "array", minItems: 100_000_000, uniqueItems: true, items: { type: "integer" } }, ""],
  minLength: [{ type: "string", minLength: 500_000_000 }, ""],
  minProperties: [{ type: "object", minProperties: 5_000_000 }, ""],
  "three levels of arrays": [nest(3, 2000), "/items"],
  "seven levels of arrays": [nest(7, 10), "/items/items/items"],
  pattern: [{ type: "string", pattern: "^a{900000}$" }, ""],
  "a pattern with groups": [{ type: "string", pattern: "^(?:(?:a[b(]{90}){90}\\(){90,}$" }, ""],
  "a pattern of names": [
    {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^a{900000}$" },
      additionalProperties: { type: "integer" },
    },
    "/propertyNames",
  ],
  "a required property": [
    { type: "object", required: ["a"], properties: { a: { type: "string", minLength: 500_000_000 } } },
    "/properties/a",
  ],
};

function toView(schema: object): SchemaView & { readonly registry: SchemaRegistry } {
  const registry = new SchemaRegistry({ openapi: "3.1.0", components: { schemas: { Own: schema } } });
  return { registry, side: "response" };
}

function sample(schema: object, optional = 1): unknown {
  const view = toView(schema);
  const leaves = { strings: toStrings, numbers: toNumbers };
  const values = createValues({ ...view, leaves, examples: 0, optional })(view.registry.component("Own"));
  return values && fc.sample(values, { seed: 1, numRuns: 1 })[0];
}

test.each(Object.entries(TOO_LARGE))("%s: no value is made, and the place is known", (_, [schema, place]) => {
  expect(sample(schema)).toBeUndefined();
  const view = toView(schema);
  expect(explainTooLarge(view.registry.component("Own"), view)).toBe(
    `the schema at #/components/schemas/Own${place} requires more than 10000 values or 100000 characters`,
  );
});

describe("parts that would be too large are left out", () => {
  const long = { type: "string", minLength: 500_000_000 };

  test("an optional property", () => {
    const schema = { type: "object", properties: { a: long, b: { type: "boolean" } } };
    expect(Object.keys(sample(schema) as object)).toEqual(["b"]);
  });

  test("an alternative", () => {
    expect(sample({ oneOf: [long, { const: 1 }] })).toBe(1);
  });

  test("optional properties that each have the same again", () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
    const self = { $ref: "#/components/schemas/Own" };
    const made = sample({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, self])),
    });
    expect(JSON.stringify(made).length).toBeLessThan(1_000_000);
  });
});

test("values below the limit are made", () => {
  expect(sample(nest(3, 20))).toHaveLength(20);
  expect(sample({ type: "string", minLength: 90_000 })).toHaveLength(90_000);
  expect(sample({ type: "string", pattern: "^(?:a{3}){2000}$" })).toHaveLength(6000);
});

test.each([0.01, 1e-9, 5000])("integers that are multiples of %d are made", (multipleOf) => {
  expect(Number.isSafeInteger(sample({ type: "integer", multipleOf }))).toBe(true);
});

describe("a contract whose values would be too large", () => {
  const schemas = Object.values(TOO_LARGE).map(([schema]) => schema);
  const withBodies = (document: Node) =>
    toRouted({
      ...document,
      paths: Object.fromEntries(
        schemas.map((schema, index) => [
          `/${index}`,
          {
            post: {
              operationId: `post${index}`,
              requestBody: { required: true, content: { "application/json": { schema } } },
              responses: { "204": { description: "Saved." } },
            },
          },
        ]),
      ),
    });
  const stops: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

  test("mock names the schema", async () => {
    const mock = await serve(toRouted(toDocument(schemas)));
    stops.push(mock.stop);
    for (const index of schemas.keys()) {
      const response = await fetch(`${mock.url}/${index}`);
      expect(response.status).toBe(500);
      expect(await response.text()).toContain(
        `#/paths/~1${index}/get/responses/200/content/application~1json/schema`,
      );
    }
  });

  test("verify names the schema of an operation that it cannot test", async () => {
    const contract = withBodies(toDocument([]));
    const server = createServer((_, response) => response.writeHead(204).end());
    const { notes } = await verifyServer(contract, server);
    for (const index of schemas.keys())
      expect(notes).toContainEqual(
        expect.stringMatching(
          new RegExp(`^post${index} .* too large: the schema at #/paths/~1${index}/post/requestBody/`),
        ),
      );
  });

  test("the docs leave out the samples", () => {
    const contract = withBodies(toDocument([]));
    expect(contract.operations.map(createSamples(contract, {}))).toEqual(schemas.map(() => []));
  });
});

// Comparing a text of 40 characters with this pattern takes hours, also where it matches.
test("a pattern with many optional parts is not compared with texts", () => {
  const pattern = `^${"a?".repeat(60)}a{60}$`;
  expect(sample({ type: "object", required: ["a"], properties: { a: { type: "string", pattern } } })).toEqual(
    {
      a: expect.stringMatching(/^a{60,120}$/),
    },
  );
});

test("a long text is not compared with a pattern that repeats what repeats", () => {
  expect(sample({ type: "string", pattern: "^([a-z ]+)+!$", minLength: 80 })).toEqual(
    expect.stringMatching(/^[a-z ]+!$/),
  );
});

test("a schema that is its own alternative has no values that end", () => {
  const own = { $ref: "#/components/schemas/Own" };
  expect(sample({ oneOf: [own, { anyOf: [own, { type: "string" }] }] })).toBeUndefined();
});

test.each([5e-324, 1e-300])("multiples of a tiny number are made: %d", (multipleOf) => {
  expect(sample({ type: "number", multipleOf })).toEqual(expect.any(Number));
});
