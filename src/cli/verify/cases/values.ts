import fc from "fast-check";
import type { Schema } from "tenon/core/schema";
import { createFit, createValues, type FlatSchema, FORMATS, type SchemaView } from "../../values/index.js";
import { toUnicodePattern } from "../validator.js";

/** The part of a request that a value is sent in. Characters that not every server accepts there are left out of strings. */
export type ValueLocation = "json" | "path" | "query" | "header" | "cookie";

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
/** Characters that careless stores, logs and pages fail for. Control characters and lone surrogates are not text everywhere. */
const UNUSUAL = Array.from("'\"<>&;%$\\/|éßñøЖ中日한اع😀");
const BY_LOCATION: Readonly<Record<ValueLocation, readonly string[]>> = {
  json: [...LETTERS, ...UNUSUAL],
  query: [...LETTERS, ...UNUSUAL.filter((char) => char !== "|")],
  path: [...LETTERS, "-", "_"],
  header: [...LETTERS, "-", "_"],
  cookie: [...LETTERS, "-", "_"],
};
/** Length of strings unless the schema requires more. */
const USUAL_LENGTH = 12;
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/**
 * Makes random values that a schema allows; the caller has to validate them.
 * @param full True to give values all optional parts.
 * @returns undefined when none can be made.
 */
export function toValues(
  schema: Schema,
  view: SchemaView,
  { location, full }: { readonly location: ValueLocation; readonly full: boolean },
): fc.Arbitrary<unknown> | undefined {
  return createValues({
    ...view,
    leaves: {
      names: fc.stringMatching(/^[a-z]{1,8}$/),
      strings: (flat) => toStrings(flat, location),
      numbers: (flat, _name, isInteger) => (isInteger ? toIntegers(flat) : toNumbers(flat)),
    },
    examples: 1 / 3,
    optional: full ? 1 : 0.5,
    variety: location === "json" ? "json" : "text",
  })(schema);
}

/** Makes strings of a schema by its format, pattern and lengths; undefined when no string can be made of its pattern. */
function toStrings(
  { format = "", pattern, minLength = 0, maxLength = minLength + USUAL_LENGTH }: FlatSchema,
  location: ValueLocation,
): fc.Arbitrary<string> | undefined {
  // A pattern that cannot be read restricts nothing.
  const readable = pattern === undefined ? undefined : toUnicodePattern(pattern);
  if (readable !== undefined) {
    try {
      const strings = fc.stringMatching(new RegExp(readable, "u"), { size: "small" });
      return strings.filter(createFit(undefined, minLength, maxLength));
    } catch {
      return undefined;
    }
  }
  const formatted = FORMATS.get(format);
  if (formatted !== undefined) return formatted;
  // Many servers take an empty text in a URL or header for an absent one.
  const min = location === "json" ? minLength : Math.max(1, minLength);
  const max = Math.max(min, Math.min(maxLength, min + USUAL_LENGTH));
  const of = (characters: readonly string[]) =>
    fc.array(fc.constantFrom(...characters), { minLength: min, maxLength: max }).map((list) => list.join(""));
  return fc.oneof(of(LETTERS), of(BY_LOCATION[location]));
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
