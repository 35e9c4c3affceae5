import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import fc from "fast-check";
import type { Finding } from "../../../src/cli/diff/change.js";
import { sampleValues, type SchemaOfView } from "../../../src/cli/diff/counterexample/candidates.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { findChanges, toContract } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;
export type Pair = readonly [base: Schema, revision: Schema];
type Verdicts = readonly Pick<Finding, "code" | "level" | "counterexample">[];

const small = fc.integer({ min: 0, max: 4 });
const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined, freq: 2 }).map((found) => (found === undefined ? {} : { [key]: found }));
const merge = (...parts: fc.Arbitrary<Schema>[]): fc.Arbitrary<Schema> =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Schema);

const listed = fc.uniqueArray(fc.constantFrom("", "a", "ab", "abc", 0, 1, 2, 2.5, true, null), {
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
    listed.map((all) => ({ enum: all })),
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

const LEAVES: readonly unknown[] = [
  ...["", "a", "ab", "abc", "abcd", "b", "c"],
  ...[0, 1, 2, 3, 4, 5, -1, 0.5, 2.5],
  ...[true, false, null],
];

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...LEAVES),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

/** The same seed gives the same schemas and values on every machine. */
const SEED = 17;

/** Draws different values of the names, numbers and texts that the schemas have. */
export function drawValues(count: number): readonly unknown[] {
  const texts = new Set(
    fc.sample(value, { seed: SEED, numRuns: count * 4 }).map((one) => JSON.stringify(one)),
  );
  return [...texts].slice(0, count).map((text) => JSON.parse(text) as unknown);
}

/** Draws schemas. */
export function drawSchemas(count: number): readonly Schema[] {
  return fc.sample(schema, { seed: SEED, numRuns: count });
}

/** Draws pairs of schemas: unrelated ones, and ones that differ in a part. */
export function drawPairs(count: number): readonly Pair[] {
  const pair = fc.tuple(schema, schema);
  const pairs = fc.oneof(
    pair,
    pair.map(([one, other]): Pair => [one, { ...one, ...other }]),
    pair.map(([one, other]): Pair => [{ anyOf: [one, other] }, one]),
    pair.map(([one, other]): Pair => [{ allOf: [one, other] }, other]),
    pair.map(([one, other]): Pair => [toObject(one), toObject(other)]),
    pair.map(([one, other]): Pair => [toArray(one), toArray(other)]),
    ...[1, 2, 3].map(() => neighbour),
  );
  return fc.sample(pairs, { seed: SEED, numRuns: count });
}

/** A schema, and one that differs in a single keyword. */
const neighbour = fc
  .tuple(schema, fc.nat(), fc.boolean())
  .map(([one, index, isForth]): Pair => (isForth ? [one, tweak(one, index)] : [tweak(one, index), one]));

/** Changes one keyword: a number is raised, a list loses its first item, and others are removed. */
function tweak(one: Schema, index: number): Schema {
  const edited = structuredClone(one) as Record<string, unknown>;
  const members: (readonly [Record<string, unknown>, string])[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const owner = node as Record<string, unknown>;
    for (const [key, member] of Object.entries(owner)) {
      // Without a type, `properties` and the like imply an object.
      if (!Array.isArray(node) && key !== "type") members.push([owner, key]);
      if (key !== "enum") visit(member);
    }
  };
  visit(edited);
  const [owner, key] = members[index % Math.max(1, members.length)] ?? [{}, ""];
  const member = owner[key];
  if (typeof member === "number") owner[key] = member + 1;
  else if (Array.isArray(member) && member.length > 1) owner[key] = member.slice(1);
  else Reflect.deleteProperty(owner, key);
  return edited;
}

function toObject(a: Schema): Schema {
  return { type: "object", properties: { a, b: {} }, required: ["a"] };
}

function toArray(items: Schema): Schema {
  return { type: "array", items, maxItems: 3 };
}

const ajv = new Ajv2020({ strict: false, logger: false });

/** Compiles a validator; undefined for values at which the code that Ajv generates throws an error. */
function compile(one: Schema): (candidate: unknown) => boolean | undefined {
  const validate = ajv.compile(one);
  return (candidate) => {
    try {
      return validate(candidate);
    } catch {
      return undefined;
    }
  };
}

const DIRECTIONS = ["request", "response"] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Clients usually do not send undescribed properties: a new optional property is safe, whatever was allowed in its place. */
const MAY_BREAK = {
  request: /(?:breaking|risky) request-|safe request-optional-property-added/,
  response: /(?:breaking|risky) response-/,
};

/**
 * Checks the changes of two schemas by values and another validator. A contradiction is a value that breaks clients although the
 * changes are safe, or a counterexample that is none. An alarm is a breaking change that no value shows: its schema may have none.
 */
function check([base, revision]: Pair, verdicts: Verdicts, values: Iterable<unknown>): Partial<Result> {
  const [before, after] = [compile(base), compile(revision)];
  const changes = verdicts.map(({ level, code }) => `${level ?? ""} ${code}`).join();
  const shown = new Map<string, unknown>();
  for (const { code, counterexample } of verdicts) {
    const [direction = ""] = code.split("-");
    if (counterexample === undefined) continue;
    const { path, value: one } = counterexample;
    shown.set(direction, one);
    if (path !== "" || (before(one) === (direction === "request") && after(one) !== before(one))) continue;
    return { contradiction: `${code}: ${JSON.stringify(one)} is no counterexample` };
  }
  const mayBreak = (direction: Direction) => MAY_BREAK[direction].test(changes);
  const isBreaking = (direction: Direction) =>
    verdicts.some(({ code, level }) => level === "breaking" && code.startsWith(`${direction}-`));
  /** Directions that values can still say something about. */
  const open = new Set(DIRECTIONS.filter((one) => !mayBreak(one) || (isBreaking(one) && !shown.has(one))));
  for (const one of values) {
    if (open.size === 0) break;
    const [was, is] = [before(one), after(one)];
    if (was === is || was === undefined || is === undefined) continue;
    const direction = was ? "request" : "response";
    shown.set(direction, one);
    if (!mayBreak(direction))
      return {
        contradiction: `${JSON.stringify(one)} is ${was ? "no longer valid" : "new"}, but the changes are: ${changes}`,
      };
    open.delete(direction);
  }
  const alarm = verdicts.find(
    ({ code, level }) => level === "breaking" && !shown.has(code.split("-", 1)[0] ?? ""),
  );
  return alarm ? { alarm: `No value shows that ${alarm.code} is breaking` } : {};
}

interface Result {
  readonly contradiction: string;
  readonly alarm: string;
}

/** The schema of a request, which makes values that another schema may not allow. */
function toSource(one: Schema): SchemaOfView {
  const { operations, registry } = buildContract(toContract(one));
  const schema = operations[0]?.requestBody?.mediaTypes[0]?.schema ?? { pointer: "#" };
  return { schema, view: { registry, side: "request" } };
}

/** The values, then those that are made for a pair. */
function* ownValues(pair: Pair, values: readonly unknown[]): Generator {
  yield* values;
  yield* sampleValues(pair.map(toSource));
}

/** Compares pairs of schemas, and lists the contradictions and alarms. @param plant Changes the verdicts. */
export async function checkPairs(
  pairs: readonly Pair[],
  values: readonly unknown[],
  plant: (verdicts: Verdicts) => Verdicts = (verdicts) => verdicts,
): Promise<{ readonly contradictions: readonly string[]; readonly alarms: readonly string[] }> {
  const [contradictions, alarms]: [string[], string[]] = [[], []];
  for (const pair of pairs) {
    const { contradiction, alarm } = check(pair, plant(await findChanges(...pair)), ownValues(pair, values));
    const name = pair.map((one) => JSON.stringify(one)).join(" → ");
    if (contradiction !== undefined) contradictions.push(`${name}: ${contradiction}`);
    if (alarm !== undefined) alarms.push(`${name}: ${alarm}`);
  }
  return { contradictions, alarms };
}
