import type { Sides } from "../../sides.js";
import { type Difference, placeOfKeyword } from "./difference.js";
import {
  type ArrayShape,
  type Bound,
  isMultiple,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
} from "../normal-form/index.js";

type Limit =
  | "minimum"
  | "maximum"
  | "min-length"
  | "max-length"
  | "min-items"
  | "max-items"
  | "min-properties"
  | "max-properties";

/** Compares limits of lengths and counts, where 0 and Infinity mean no limit. */
export function compareCounts(
  keywords: readonly [minimum: Limit, maximum: Limit],
  before: readonly [number, number],
  after: readonly [number, number],
  shapes: Sides<Shape>,
): readonly Difference[] {
  const [lower, upper] = keywords;
  return [
    ...compareBound(lower, toBound(before[0], 0), toBound(after[0], 0), shapes),
    ...compareBound(upper, toBound(before[1], Infinity), toBound(after[1], Infinity), shapes),
  ];
}

function toBound(value: number, none: number): Bound | undefined {
  return value === none ? undefined : { value, exclusive: false };
}

export function compareLengths(pair: Sides<StringShape>): readonly Difference[] {
  const { base, revision } = pair;
  return compareCounts(
    ["min-length", "max-length"],
    [base.minLength, base.maxLength],
    [revision.minLength, revision.maxLength],
    pair,
  );
}

export function compareItemCounts(pair: Sides<ArrayShape>): readonly Difference[] {
  const { base, revision } = pair;
  return compareCounts(
    ["min-items", "max-items"],
    [base.minItems, base.maxItems],
    [revision.minItems, revision.maxItems],
    pair,
  );
}

/** Compares numbers of properties; required properties imply a minimum. */
export function comparePropertyCounts(pair: Sides<ObjectShape>): readonly Difference[] {
  const { base, revision } = pair;
  const isImplied = ({ name }: Difference) =>
    (name === "min-properties-lowered" && revision.required.size >= base.minProperties) ||
    (name === "min-properties-raised" && base.required.size >= revision.minProperties);
  return compareCounts(
    ["min-properties", "max-properties"],
    [base.minProperties, base.maxProperties],
    [revision.minProperties, revision.maxProperties],
    pair,
  ).filter((difference) => !isImplied(difference));
}

export function compareRanges(pair: Sides<NumberShape>): readonly Difference[] {
  const { base, revision } = pair;
  return [
    ...compareBound("minimum", base.minimum, revision.minimum, pair),
    ...compareBound("maximum", base.maximum, revision.maximum, pair),
    ...compareMultiples(pair),
    ...compareWholeness(pair),
  ];
}

/** Authors of schemas see integer as a type of its own. */
function compareWholeness({ base, revision }: Sides<NumberShape>): readonly Difference[] {
  if (base.integer === revision.integer) return [];
  const toType = ({ integer }: NumberShape) => (integer ? "integer" : "number");
  return [
    {
      name: revision.integer ? "type-removed" : "type-added",
      effect: revision.integer ? "narrower" : "wider",
      before: toType(base),
      after: toType(revision),
      base: placeOfKeyword(base.sources, "type"),
      revision: placeOfKeyword(revision.sources, "type"),
    },
  ];
}

function compareBound(
  limit: Limit,
  before: Bound | undefined,
  after: Bound | undefined,
  { base, revision }: Sides<Shape>,
): readonly Difference[] {
  const isLower = limit.startsWith("min");
  const none = isLower ? -Infinity : Infinity;
  const [one, other] = [toOrder(before, isLower, none), toOrder(after, isLower, none)];
  const order = one[0] - other[0] || one[1] - other[1];
  if (order === 0 || Number.isNaN(order)) return [];
  const raised = order < 0;
  const keyword = limit.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());
  const exclusive = `exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`;
  return [
    {
      name: `${limit}-${raised ? "raised" : "lowered"}`,
      effect: raised === isLower ? "narrower" : "wider",
      before: toShown(before),
      after: toShown(after),
      base: placeOfKeyword(base.sources, keyword, exclusive),
      revision: placeOfKeyword(revision.sources, keyword, exclusive),
    },
  ];
}

/** Orders bounds; an exclusive bound is a little stricter. */
function toOrder(bound: Bound | undefined, isLower: boolean, none: number): readonly [number, number] {
  if (bound === undefined) return [none, 0];
  return [bound.value, bound.exclusive ? (isLower ? 1 : -1) : 0];
}

function toShown(bound: Bound | undefined): unknown {
  if (bound === undefined) return undefined;
  return bound.exclusive ? `${bound.value} (exclusive)` : bound.value;
}

function compareMultiples({ base, revision }: Sides<NumberShape>): readonly Difference[] {
  const covers = (steps: readonly number[], step: number) => steps.some((other) => isMultiple(other, step));
  // Every integer is a multiple of 1.
  const toSteps = ({ multiples, integer }: NumberShape) => (integer ? [...multiples, 1] : multiples);
  const wider = base.multiples.some((step) => !covers(toSteps(revision), step));
  const narrower = revision.multiples.some((step) => !covers(toSteps(base), step));
  if (!wider && !narrower) return [];
  const shown = ({ multiples }: NumberShape) => (multiples.length > 1 ? multiples : multiples[0]);
  return [
    {
      name:
        wider && narrower ? "multiple-of-changed" : narrower ? "multiple-of-narrowed" : "multiple-of-widened",
      effect: wider && narrower ? "unknown" : narrower ? "narrower" : "wider",
      before: shown(base),
      after: shown(revision),
      base: placeOfKeyword(base.sources, "multipleOf"),
      revision: placeOfKeyword(revision.sources, "multipleOf"),
    },
  ];
}
