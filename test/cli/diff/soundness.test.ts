// @thorough: compares thousands of generated schemas.
import { expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import fc from "fast-check";
import { findChanges, listChanges, toContract } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;

const small = fc.integer({ min: 0, max: 4 });
const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined, freq: 1 }).map((found) => (found === undefined ? {} : { [key]: found }));
const merge = (...parts: fc.Arbitrary<Schema>[]): fc.Arbitrary<Schema> =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Schema);

const values = fc.uniqueArray(fc.constantFrom("", "a", "ab", "abc", 0, 1, 2, 2.5, true, null), {
  minLength: 1,
  maxLength: 4,
});

/** Schemas with a type and few names and numbers, so that two of them are often related. */
const { schema } = fc.letrec<{
  schema: Schema;
  leaf: Schema;
  object: Schema;
  array: Schema;
  union: Schema;
  conditional: Schema;
}>((tie) => ({
  leaf: fc.oneof(
    merge(fc.constant({ type: "string" }), maybe("maxLength", small), maybe("minLength", small)),
    merge(fc.constant({ type: "integer" }), maybe("maximum", small), maybe("exclusiveMinimum", small)),
    merge(
      fc.constant({ type: "number" }),
      maybe("minimum", small),
      maybe("multipleOf", fc.constantFrom(0.5, 1, 2)),
    ),
    values.map((all) => ({ enum: all })),
    fc.constantFrom<Schema>({ type: "boolean" }, { type: ["string", "null"] }, { type: "null" }, {}),
  ),
  object: merge(
    fc.constant({ type: "object" }),
    maybe("properties", fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 })),
    maybe("required", fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 })),
    maybe("additionalProperties", fc.oneof(fc.boolean(), tie("leaf"))),
    maybe("minProperties", fc.integer({ min: 0, max: 2 })),
  ),
  array: merge(
    fc.constant({ type: "array" }),
    maybe("items", tie("schema")),
    maybe("maxItems", small),
    maybe("minItems", fc.integer({ min: 0, max: 2 })),
  ),
  conditional: fc.oneof(
    merge(fc.constant({ type: "array" }), maybe("items", tie("leaf")), fc.record({ contains: tie("leaf") })),
    merge(
      fc.constant({ type: "array", contains: { type: "integer" } }),
      maybe("minContains", fc.integer({ min: 0, max: 2 })),
      maybe("maxContains", fc.integer({ min: 0, max: 2 })),
    ),
    merge(
      fc.constant({ type: "object" }),
      maybe("dependentRequired", fc.constantFrom({ a: ["b"] }, { b: ["a"] }, { a: ["b", "c"] })),
      maybe("dependentSchemas", fc.record({ a: tie("object") })),
      maybe("propertyNames", fc.constantFrom({ enum: ["a", "b"] }, { pattern: "^a" }, { maxLength: 1 })),
      maybe("patternProperties", fc.record({ "^[ab]": tie("leaf") })),
    ),
    fc.record({ not: tie("leaf") }),
    fc.record({ if: tie("leaf"), then: tie("schema") }),
    fc.record({ if: tie("object"), then: tie("object"), else: tie("object") }),
    merge(
      fc.constant({ type: "string" }),
      maybe("pattern", fc.constantFrom("^a", "b$", ".*", "^[ab]+$", "")),
    ),
  ),
  union: fc
    .tuple(
      fc.constantFrom("anyOf", "oneOf", "allOf"),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
    )
    .map(([key, parts]) => ({ [key]: parts })),
  schema: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    tie("object"),
    tie("array"),
    tie("union"),
    tie("conditional"),
  ),
}));

const leafValue = fc.constantFrom<unknown>(
  "",
  "a",
  "ab",
  "abc",
  "abcd",
  0,
  1,
  2,
  3,
  4,
  5,
  -1,
  0.5,
  2.5,
  true,
  false,
  null,
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leafValue,
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

/** Clients usually do not send undescribed properties: a new optional property is safe, whatever was allowed in its place. */
const NARROWER = /(?:breaking|risky) request-|safe request-optional-property-added/;
const WIDER = /(?:breaking|risky) response-/;

const ajv = new Ajv2020({ strict: false, logger: false });

test("every value that an independent validator accepts for one schema only leads to a change that may break", async () => {
  await fc.assert(
    fc.asyncProperty(
      schema,
      schema,
      fc.array(value, { minLength: 30, maxLength: 60 }),
      async (base, revision, candidates) => {
        const [before, after] = [ajv.compile(base), ajv.compile(revision)];
        const findings = await findChanges(base, revision);
        const changes = findings.map(({ level, code }) => `${level} ${code}`).join();
        const found = candidates.map((candidate) => [before(candidate), after(candidate)] as const);
        for (const { code, counterexample } of findings) {
          if (counterexample?.path !== "") continue;
          const isRequest = code.startsWith("request-");
          expect([before(counterexample.value), after(counterexample.value)]).toEqual([
            isRequest,
            !isRequest,
          ]);
        }
        expect(changes).toMatch(found.some(([was, is]) => was && !is) ? NARROWER : /^/);
        expect(changes).toMatch(found.some(([was, is]) => !was && is) ? WIDER : /^/);
      },
    ),
    { numRuns: 1500 },
  );
});

test("a schema compared with itself has no change", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (one) => {
      expect(await listChanges(toContract(one), toContract(structuredClone(one)))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
