import type { Schema } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import { impliesFormat, isKnownFormat } from "../normal-form/formats.js";
import type { Bound, NumberShape, Shape, StringShape } from "../normal-form/shape.js";
import { isMultiple } from "../normal-form/values.js";
import { type Difference, placesOf } from "./difference.js";

/** Keywords that limit lengths and counts, and their names in codes. */
const COUNTS = {
  minLength: "min-length",
  maxLength: "max-length",
  minItems: "min-items",
  maxItems: "max-items",
  minProperties: "min-properties",
  maxProperties: "max-properties",
} as const;

type Count = keyof typeof COUNTS;

/** Compares limits of lengths and counts, where a minimum of 0 and a maximum of Infinity mean no limit. */
export function compareCounts<Keyword extends Count>(
  pair: Sides<Shape & Readonly<Record<Keyword, number>>>,
  keywords: readonly Keyword[],
): readonly Difference[] {
  return keywords.flatMap((keyword) => {
    const none = keyword.startsWith("min") ? 0 : Infinity;
    const toBound = (value: number) => (value === none ? undefined : { value, exclusive: false });
    const [before, after] = [toBound(pair.base[keyword]), toBound(pair.revision[keyword])];
    return compareBound([COUNTS[keyword], keyword], before, after, pair);
  });
}

export function compareStrings(pair: Sides<StringShape>): readonly Difference[] {
  return [
    ...compareCounts(pair, ["minLength", "maxLength"]),
    ...comparePatterns(pair),
    ...compareFormats(pair),
  ];
}

export function compareNumbers(pair: Sides<NumberShape>): readonly Difference[] {
  const { base, revision } = pair;
  return [
    ...compareBound(["minimum", "minimum", "exclusiveMinimum"], base.minimum, revision.minimum, pair),
    ...compareBound(["maximum", "maximum", "exclusiveMaximum"], base.maximum, revision.maximum, pair),
    ...compareMultiples(pair),
    ...compareWholeness(pair),
    ...compareFormats(pair),
  ];
}

/** Authors of schemas see integer as a type of its own. */
function compareWholeness(pair: Sides<NumberShape>): readonly Difference[] {
  const { base, revision } = pair;
  if (base.integer === revision.integer) return [];
  const toType = ({ integer }: NumberShape) => (integer ? "integer" : "number");
  const name = revision.integer ? "type-removed" : "type-added";
  const toKeyword = (shape: NumberShape): Schema => ({ pointer: "#", type: [toType(shape)] });
  const rule = { base: toKeyword(base), revision: toKeyword(revision) };
  return [{ name, before: toType(base), after: toType(revision), rule, ...placesOf(pair, "type") }];
}

function compareBound(
  [limit, ...keywords]: readonly [(typeof COUNTS)[Count] | "minimum" | "maximum", ...string[]],
  before: Bound | undefined,
  after: Bound | undefined,
  pair: Sides<Shape>,
): readonly Difference[] {
  const isLower = limit.startsWith("min");
  const [one, other] = [toOrder(before, isLower), toOrder(after, isLower)];
  const order = one[0] - other[0] || one[1] - other[1];
  if (order === 0 || Number.isNaN(order)) return [];
  const name = `${limit}-${order < 0 ? "raised" : "lowered"}` as const;
  const [inclusive = "", exclusive = ""] = keywords;
  const toKeyword = (bound: Bound | undefined) =>
    bound && { pointer: "#", [bound.exclusive ? exclusive : inclusive]: bound.value };
  const rule = { base: toKeyword(before), revision: toKeyword(after) };
  return [{ name, before: toShown(before), after: toShown(after), rule, ...placesOf(pair, ...keywords) }];
}

/** Orders bounds; an exclusive bound is a little stricter. */
function toOrder(bound: Bound | undefined, isLower: boolean): readonly [number, number] {
  if (bound === undefined) return [isLower ? -Infinity : Infinity, 0];
  return [bound.value, bound.exclusive ? (isLower ? 1 : -1) : 0];
}

function toShown(bound: Bound | undefined): unknown {
  return bound?.exclusive ? `${bound.value} (exclusive)` : bound?.value;
}

function compareMultiples(pair: Sides<NumberShape>): readonly Difference[] {
  const { base, revision } = pair;
  const covers = (steps: readonly number[], step: number) => steps.some((other) => isMultiple(other, step));
  // Every integer is a multiple of 1.
  const toSteps = ({ multiples, integer }: NumberShape) => (integer ? [...multiples, 1] : multiples);
  const wider = base.multiples.some((step) => !covers(toSteps(revision), step));
  const narrower = revision.multiples.some((step) => !covers(toSteps(base), step));
  if (!wider && !narrower) return [];
  const shown = ({ multiples }: NumberShape) => (multiples.length > 1 ? multiples : multiples[0]);
  const name =
    wider && narrower ? "multiple-of-changed" : narrower ? "multiple-of-narrowed" : "multiple-of-widened";
  const toKeyword = ({ multiples }: NumberShape) => toAll(multiples, "multipleOf");
  const rule = { base: toKeyword(base), revision: toKeyword(revision) };
  return [{ name, before: shown(base), after: shown(revision), rule, ...placesOf(pair, "multipleOf") }];
}

/** Compares formats. Only known formats are narrower or wider than others. */
function compareFormats(pair: Sides<StringShape | NumberShape>): readonly Difference[] {
  const [before, after] = [pair.base.formats, pair.revision.formats];
  const gone = before.filter((format) => !impliesFormat(after, format));
  const come = after.filter((format) => !impliesFormat(before, format));
  if (gone.length === 0 && come.length === 0) return [];
  const name = ![...gone, ...come].every(isKnownFormat)
    ? "unknown-format-changed"
    : gone.length === 0
      ? "format-narrowed"
      : come.length === 0
        ? "format-widened"
        : "format-changed";
  const places = placesOf(pair, "format", "contentEncoding", "contentMediaType");
  const rule = { base: toAll(before, "format"), revision: toAll(after, "format") };
  // A format excludes values, whatever it means.
  const levels = {
    ...(gone.length === 0 && { response: "safe" as const }),
    ...(come.length === 0 && { request: "safe" as const }),
  };
  const isUnknown = name === "unknown-format-changed";
  return [{ name, before: before[0], after: after[0], rule, ...(isUnknown && { levels }), ...places }];
}

/** Compares patterns by their text only. */
function comparePatterns(pair: Sides<StringShape>): readonly Difference[] {
  const [before, after] = [pair.base.patterns, pair.revision.patterns];
  const gone = before.filter((pattern) => !after.includes(pattern));
  const come = after.filter((pattern) => !before.includes(pattern));
  if (gone.length === 0 && come.length === 0) return [];
  const keyword = { base: toAll(before, "pattern"), revision: toAll(after, "pattern") };
  const name =
    gone.length === 0 ? "pattern-added" : come.length === 0 ? "pattern-removed" : "pattern-changed";
  return [{ name, before: gone[0], after: come[0], keyword, ...placesOf(pair, "pattern") }];
}

/** Builds a schema of one keyword with several values. */
function toAll(values: readonly unknown[], keyword: "format" | "multipleOf" | "pattern"): Schema {
  return { pointer: "#", allOf: values.map((value) => ({ pointer: "#", [keyword]: value })) };
}
