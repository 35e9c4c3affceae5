import fc from "fast-check";
import { isAnything, type JsonType, type Schema } from "tenon/core/schema";
import { type FlatSchema, flatten, getOwn, type SchemaView } from "../../values/index.js";
import { toStrings, type TextLocation } from "./strings.js";

export interface ValueContext {
  readonly view: SchemaView;
  readonly location: TextLocation;
  /** Number of objects and arrays around the value. */
  readonly depth: number;
  /** True to give values all optional parts. */
  readonly full: boolean;
  /** Values by reference and depth. Without this cache, schemas that refer to themselves in several ways take exponential time. */
  readonly made: Map<string, fc.Arbitrary<unknown> | undefined>;
}

/** Deeper values lack optional parts. */
const OPTIONAL_DEPTH = 3;
/** Deeper values are not made: the schema requires an infinite one. */
const MAX_DEPTH = 8;
/** Items beyond those that the schema requires. */
const MORE_ITEMS = 3;
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
const ALL_TYPES: readonly JsonType[] = ["string", "integer", "boolean", "object", "array"];

/**
 * Makes values that a schema allows, keyword by keyword; the caller has to validate the whole.
 * @returns undefined when none can be made.
 */
export function toValues(schema: Schema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  const isReference = schema.reference !== undefined && Object.keys(schema).length === 2;
  if (!isReference) return toOwnValues(schema, context);
  const key = `${schema.reference ?? ""} ${context.depth}`;
  if (!context.made.has(key)) context.made.set(key, toOwnValues(schema, context));
  return context.made.get(key);
}

function toOwnValues(schema: Schema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  const flat = flatten(schema, context.view);
  if (flat.never || context.depth > MAX_DEPTH) return undefined;
  const values = flat.enum?.filter((value) => value !== null || context.location === "json");
  const made = values === undefined ? makeValues(flat, context) : toConstants(values);
  const { examples = [] } = flat;
  const given = toConstants(examples);
  if (given === undefined || made === undefined) return given ?? made;
  return fc.oneof({ weight: 1, arbitrary: given }, { weight: 2, arbitrary: made });
}

function toConstants(values: readonly unknown[]): fc.Arbitrary<unknown> | undefined {
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}

function makeValues(flat: FlatSchema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  const { choices: [choices, ...more] = [], ...own } = flat;
  if (choices !== undefined) {
    const { pointer } = flat;
    const rest: Schema = { ...own, examples: [], allOf: more.map((anyOf) => ({ pointer, anyOf })) };
    return oneOf(choices.map((choice) => toValues({ pointer, allOf: [rest, choice] }, context)));
  }
  const types = flat.type ?? ALL_TYPES;
  return oneOf(types.map((type) => ofType(type, flat, context)));
}

function oneOf(
  arbitraries: readonly (fc.Arbitrary<unknown> | undefined)[],
): fc.Arbitrary<unknown> | undefined {
  const possible = arbitraries.filter((arbitrary) => arbitrary !== undefined);
  return possible.length === 0 ? undefined : fc.oneof(...possible);
}

function ofType(type: JsonType, flat: FlatSchema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  switch (type) {
    case "null":
      // It has no form as text (RFC 6570, section 2.3).
      return context.location === "json" ? fc.constant(null) : undefined;
    case "boolean":
      return fc.boolean();
    case "integer":
      return toIntegers(flat);
    case "number":
      return toNumbers(flat);
    case "string":
      return toStrings(flat, context.location);
    case "array":
      return toArrays(flat, context);
    case "object":
      return toObjects(flat, context);
  }
}

/** The least and greatest integer that a schema allows, within what every JSON reader keeps (RFC 7493, section 2.2). */
export function toRange(flat: FlatSchema): { readonly min: number; readonly max: number } {
  const limit = flat.format === "int32" ? 2 ** 31 : MAX_INTEGER + 1;
  const { minimum = -MAX_INTEGER, exclusiveMinimum = -Infinity } = flat;
  const { maximum = MAX_INTEGER, exclusiveMaximum = Infinity } = flat;
  const least = flat.format === "int32" ? -limit : -MAX_INTEGER;
  return {
    min: Math.max(Math.ceil(minimum), Math.floor(exclusiveMinimum) + 1, least),
    max: Math.min(Math.floor(maximum), Math.ceil(exclusiveMaximum) - 1, limit - 1),
  };
}

function toIntegers(flat: FlatSchema): fc.Arbitrary<number> | undefined {
  const { min, max } = toRange(flat);
  const step = flat.multipleOf ?? 1;
  const [low, high] = [Math.ceil(min / step), Math.floor(max / step)];
  if (low > high) return undefined;
  const near = fc.integer({ min: Math.max(low, -1000), max: Math.max(low, Math.min(high, 1000)) });
  const all = fc.integer({ min: low, max: high });
  return (Math.max(low, -1000) <= high ? fc.oneof(near, all) : all).map((count) => count * step);
}

/** With two decimals where the schema leaves it open, as prices and measures have. */
function toNumbers(flat: FlatSchema): fc.Arbitrary<number> | undefined {
  const { minimum = -1e6, maximum = Math.max(1e6, minimum), multipleOf: step } = flat;
  const least = Math.max(minimum, flat.exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum, flat.exclusiveMaximum ?? Infinity);
  if (step !== undefined) {
    return fc
      .integer({
        min: Math.ceil(least / step),
        max: Math.max(Math.ceil(least / step), Math.floor(most / step)),
      })
      .map((count) => Number((count * step).toPrecision(12)));
  }
  const [low, high] = [Math.ceil(least * 100), Math.floor(most * 100)];
  if (low > high) return fc.double({ min: least, max: most, noNaN: true });
  return fc.integer({ min: low, max: high }).map((hundredths) => hundredths / 100);
}

function toArrays(flat: FlatSchema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  const inside = { ...context, depth: context.depth + 1 };
  const { minItems = 0, maxItems = minItems + MORE_ITEMS, prefixItems = [] } = flat;
  const { items = { pointer: flat.pointer } } = flat;
  const first = prefixItems.map((item) => toValues(item, inside));
  const start = first.filter((item) => item !== undefined);
  const few = context.depth >= OPTIONAL_DEPTH ? minItems : Math.min(maxItems, minItems + MORE_ITEMS);
  const least = Math.max(0, minItems - start.length);
  // An empty list in a URL or header is an absent one.
  const min = context.location === "json" && !context.full ? least : Math.max(1, least);
  const lengths = { minLength: min, maxLength: Math.max(min, few - start.length) };
  const rest = items.never || lengths.maxLength <= 0 ? undefined : toValues(items, inside);
  if (rest === undefined) {
    if (first.includes(undefined) || start.length < minItems) return undefined;
    return start.length === 0 ? fc.constant([]) : fc.tuple(...start);
  }
  const list =
    flat.uniqueItems === true
      ? fc.uniqueArray(rest, { ...lengths, selector: (item) => JSON.stringify(item) })
      : fc.array(rest, lengths);
  return start.length === 0
    ? list
    : fc.tuple(fc.tuple(...start), list).map(([head, tail]) => [...head, ...tail]);
}

function toObjects(flat: FlatSchema, context: ValueContext): fc.Arbitrary<unknown> | undefined {
  const inside = { ...context, depth: context.depth + 1 };
  const { properties = {}, required = [], minProperties = 0 } = flat;
  const { additionalProperties = { pointer: flat.pointer } } = flat;
  const isLean = context.depth >= OPTIONAL_DEPTH;
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of new Set([...required, ...(isLean ? [] : Object.keys(properties))])) {
    const values = toValues(getOwn(properties, name) ?? additionalProperties, inside);
    if (values !== undefined) members[name] = values;
    else if (required.includes(name)) return undefined;
  }
  const requiredKeys = Object.keys(members).filter((name) => context.full || required.includes(name));
  const object = fc.record(members, { requiredKeys });
  const isMap = !additionalProperties.never && !isAnything(additionalProperties);
  const missing = minProperties - Object.keys(members).length;
  if (!isMap && missing <= 0) return object;
  const others = toValues(additionalProperties, inside);
  if (others === undefined) return missing > 0 ? undefined : object;
  const names = fc.stringMatching(/^[a-z]{1,8}$/);
  const more = fc.dictionary(names, others, {
    minKeys: Math.max(0, missing),
    maxKeys: Math.max(missing, isLean ? 0 : 2),
    noNullPrototype: true,
  });
  return fc.tuple(more, object).map(([extra, declared]) => ({ ...extra, ...declared }));
}
