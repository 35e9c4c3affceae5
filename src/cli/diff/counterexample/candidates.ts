import fc from "fast-check";
import { isNode, type Node } from "tenon/core/document";
import { listChildren, type Schema } from "tenon/core/schema";
import {
  createValues,
  type FlatSchema,
  type SchemaView,
  toIntegerRange,
  toLeastLength,
  toNumbers,
  toStrings,
} from "../../values/index.js";
import { toCanonical } from "../schema/normal-form/values.js";

/** A schema of one contract. */
export interface SchemaOfView {
  readonly schema: Schema;
  readonly view: SchemaView;
}

/** Values and names that decide keywords of the schemas. */
export interface Material {
  readonly values: readonly unknown[];
  readonly names: readonly string[];
  /** Names at the limits of `propertyNames`. */
  readonly limitNames: readonly string[];
}

/** The same seed gives the same values on every machine. */
const SEED = 1;

/** Generated values for each share of optional properties. */
const SAMPLES = 12;
const OPTIONAL = [0, 0.5, 1] as const;

/** Strings made for each pattern. */
const MATCHING = 3;

/** Strings and arrays that are longer do not show more. */
const MAX_LENGTH = 1000;

/** Schemas that are searched for boundary values: those of a large document would take too long. */
const MAX_SCHEMAS = 200;

/** Values of every type, each on both sides of a common limit. */
const USUAL: readonly unknown[] = ["", "a", 0, 1, 2, -1, 0.5, true, false, null, [], {}];

interface SampleOptions {
  /** Values for each share of optional properties. */
  readonly samples?: number;
  /** Makes small integers only, which often decide a limit. */
  readonly areSmall?: boolean;
}

/** Makes values that schemas allow. */
export function sampleValues(
  sources: readonly SchemaOfView[],
  { samples = SAMPLES, areSmall = true }: SampleOptions = {},
): readonly unknown[] {
  return sources.flatMap(({ schema, view }) =>
    OPTIONAL.flatMap((optional) => {
      const leaves = {
        strings: toStrings,
        numbers: (flat: FlatSchema, name: string, isInteger: boolean) =>
          areSmall && isInteger && flat.multipleOf === undefined
            ? toIntegers(flat)
            : toNumbers(flat, name, isInteger),
      };
      const values = createValues({ ...view, leaves, examples: 0.3, optional, variety: "json" })(schema);
      return values === undefined ? [] : fc.sample(values, { seed: SEED, numRuns: samples });
    }),
  );
}

/** Makes small integers. */
function toIntegers(flat: FlatSchema): fc.Arbitrary<number> | undefined {
  const { min, max } = toIntegerRange(flat);
  if (min > max) return undefined;
  const low = Math.max(min, Math.min(-3, max));
  return fc.integer({ min: low, max: Math.min(max, low + 10) });
}

/** Returns how many times longer a value takes to check than with a schema of usual width. */
export function weigh(sources: readonly SchemaOfView[]): number {
  const sizes = sources.map(({ schema, view }) => listSchemas(schema, view, MAX_SCHEMAS).size);
  return Math.max(1, Math.floor(Math.max(...sizes) / MAX_SCHEMAS));
}

/** Collects the values at the limits of each keyword, listed values, examples, and names of properties. */
export function collectMaterial(sources: readonly SchemaOfView[], max = MAX_SCHEMAS): Material {
  const values: unknown[] = [...USUAL];
  const names = new Set<string>();
  const limitNames = new Set<string>();
  for (const { schema, view } of sources) {
    for (const one of listSchemas(schema, view, max)) {
      values.push(...(one.enum ?? []), ...(one.examples ?? []));
      if (one.default !== undefined) values.push(one.default);
      values.push(...toBoundaries(one), ...toTexts(one));
      for (const name of listNames(one)) names.add(name);
      for (const name of one.propertyNames ? toTexts(one.propertyNames) : []) limitNames.add(name);
    }
  }
  // A name that no schema has. The empty one comes last, because readers take it for a mistake.
  names.add("other");
  for (const value of values) if (typeof value === "string" && value.length <= 20) names.add(value);
  if (names.delete("")) names.add("");
  return { values: unique(values), names: [...names], limitNames: [...limitNames] };
}

/** Adds a property of each name at a limit, with values of every type. */
export function nameProperties(values: readonly unknown[], { limitNames }: Material): readonly unknown[] {
  return values
    .filter(isNode)
    .flatMap((value) => limitNames.flatMap((name) => USUAL.map((one) => ({ ...value, [name]: one }))));
}

/** Lists a schema and the schemas in it, also behind references. */
function listSchemas(root: Schema, { registry }: SchemaView, max: number): ReadonlySet<Schema> {
  const found = new Set([root]);
  for (const schema of found) {
    if (found.size > max) break;
    if (schema.reference !== undefined) found.add(registry.get(schema.reference));
    for (const child of listChildren(schema)) found.add(child.schema);
  }
  return found;
}

function toBoundaries(schema: Schema): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf];
  return limits
    .filter((limit) => limit !== undefined)
    .flatMap((limit) => [limit, limit + 1, limit - 1, limit + 0.5, limit * 2]);
}

function toTexts(schema: Schema): readonly string[] {
  const { minLength, maxLength, pattern, patternProperties = {}, format } = schema;
  const lengths = [minLength, maxLength].filter((limit) => limit !== undefined && limit < MAX_LENGTH);
  const sized = lengths.flatMap((limit = 0) =>
    [limit - 1, limit, limit + 1].filter((length) => length >= 0).map((length) => "a".repeat(length)),
  );
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties)].filter(
    (one) => toLeastLength(one) < MAX_LENGTH,
  );
  const kinds: readonly FlatSchema[] = [
    ...patterns.map((one) => ({ pointer: schema.pointer, pattern: one })),
    ...(format === undefined ? [] : [{ pointer: schema.pointer, format }]),
  ];
  const made = kinds.flatMap((kind) => {
    const strings = toStrings(kind, "");
    return strings === undefined ? [] : fc.sample(strings, { seed: SEED, numRuns: MATCHING });
  });
  // A dot matches everything else.
  return [...sized, ...(pattern?.includes(".") === true ? ["\n"] : []), ...made];
}

function listNames(schema: Schema): readonly string[] {
  const { properties = {}, required = [], dependentRequired = {}, dependentSchemas = {} } = schema;
  return [
    ...Object.keys(properties),
    ...required,
    ...Object.entries(dependentRequired).flatMap(([name, needed]) => [name, ...needed]),
    ...Object.keys(dependentSchemas),
  ];
}

/** Lists variations of a value: another value, one part fewer, one part more, or another part, at any depth. */
export function* vary(value: unknown, material: Material): Generator {
  yield* material.values;
  yield* varyParts(value, material);
}

/** Lists variations of the parts of a value, and of their number. */
export function* varyParts(value: unknown, material: Material): Generator {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    yield items.slice(1);
    yield items.slice(0, -1);
    if (items.length > 0) yield [...items, items[0]];
    for (const one of material.values) yield [...items, one];
    for (const [index, item] of items.entries())
      for (const other of vary(item, material)) yield items.with(index, other);
  } else if (isNode(value)) {
    const entries = Object.entries(value);
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name));
    for (const name of material.names) {
      if (Object.hasOwn(value, name)) continue;
      for (const one of material.values) yield Object.fromEntries([...entries, [name, one]]);
    }
    for (const [name, member] of entries)
      for (const other of vary(member, material))
        yield Object.fromEntries(entries.map(([key, own]) => [key, key === name ? other : own]));
  }
}

/** Objects that are joined with others, and names of members that are combined. */
const MIXED = 20;
const COMBINED = 5;

/**
 * Makes objects that match several alternatives, or only one of them: objects of an alternative joined with others, and every
 * combination of absent, text and number for a few members.
 */
export function mix(values: readonly unknown[], ofAlternative: readonly unknown[]): readonly unknown[] {
  const objects = values.filter(isNode);
  const own = pickEvenly(unique(ofAlternative.filter(isNode)), MIXED / 4).filter(isNode);
  const joined = own.flatMap((one) =>
    pickEvenly(objects, MIXED).flatMap((other) => [
      { ...(other as Node), ...one },
      { ...one, ...(other as Node) },
    ]),
  );
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))].slice(0, COMBINED);
  const combined = names.reduce<readonly Node[]>(
    (made, name) => made.flatMap((one) => [one, { ...one, [name]: "" }, { ...one, [name]: 0 }]),
    [{}],
  );
  return [...unique(joined), ...unique(combined)];
}

/** Takes the first values of a generator, which may have very many. */
export function take(values: Iterable<unknown>, max: number): readonly unknown[] {
  const taken: unknown[] = [];
  for (const value of values) {
    if (taken.length >= max) break;
    taken.push(value);
  }
  return taken;
}

/** Picks small and large values. */
export function pickEvenly(values: readonly unknown[], max: number): readonly unknown[] {
  const step = Math.max(1, Math.ceil(values.length / max));
  return values.filter((_, index) => index % step === 0);
}

/** Removes equal values, and sorts: the smallest value explains most. */
export function unique(values: Iterable<unknown>): readonly unknown[] {
  const texts = new Map<string, unknown>();
  for (const value of values) {
    const text = toCanonical(value);
    if (!texts.has(text)) texts.set(text, value);
  }
  return [...texts].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)).map(([, value]) => value);
}
