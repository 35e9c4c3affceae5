import fc, { type Arbitrary } from "fast-check";
import type { FlatSchema } from "../flatten.js";
import { toPlain } from "./words.js";

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Usual ranges by the name of the property. Names are in lower case, without separators. */
const HINTS: readonly (readonly [RegExp, Range])[] = [
  [/lat(?:itude)?$/, { min: -60, max: 70 }],
  [/(?:lng|lon|long|longitude)$/, { min: -180, max: 180 }],
  [/percent|ratio|rate|score/, { min: 0, max: 100 }],
  [/^age$/, { min: 1, max: 90 }],
  [/year$/, { min: 1990, max: 2025 }],
  [/(?:timestamp|epoch)$/, { min: 1_704_067_200, max: 1_767_225_600 }],
  [/price|amount|cost|total|fee|balance/, { min: 1, max: 500 }],
  [/count|quantity|number|size|stock|rank|position|index|level/, { min: 1, max: 100 }],
];

const USUAL: Range = { min: 1, max: 1000 };

/** Step of numbers that are not integers. */
const STEP = 0.01;

/**
 * Makes numbers in the property's usual range, as far as the schema allows; otherwise in the nearest range that it allows.
 * @returns undefined when the schema allows none.
 */
export function toNumbers(flat: FlatSchema, name: string, isInteger: boolean): Arbitrary<number> | undefined {
  const plain = toPlain(name);
  const usual = HINTS.find(([pattern]) => pattern.test(plain))?.[1] ?? USUAL;
  const declared = toBounds(flat, isInteger);
  const step = isInteger ? toIntegerStep(flat.multipleOf) : (flat.multipleOf ?? STEP);
  const least = Math.max(Math.ceil(declared.min / step), Number.MIN_SAFE_INTEGER);
  const most = Math.min(Math.floor(declared.max / step), Number.MAX_SAFE_INTEGER);
  if (least > most)
    return flat.multipleOf === undefined && !isInteger
      ? fc.constant((declared.min + declared.max) / 2)
      : undefined;
  // A step may be so small that the number of steps is not exact.
  const first = Math.min(Math.ceil(usual.min / step), Number.MAX_SAFE_INTEGER);
  // The usual range may be narrower than a step.
  const last = Math.min(Math.max(first, Math.floor(usual.max / step)), Number.MAX_SAFE_INTEGER);
  const { min, max } = narrow({ min: least, max: most }, { min: first, max: last });
  // Decimals are not exact in binary: 3 × 0.01 is 0.03.
  const toExact = (value: number) => (Number.isInteger(step) ? value : Number(value.toPrecision(12)));
  return fc.integer({ min, max }).map((count) => toExact(count * step));
}

function toBounds(flat: FlatSchema, isInteger: boolean): Range {
  if (isInteger) return toIntegerRange(flat);
  const limit = flat.format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const { minimum = -limit, exclusiveMinimum = -Infinity } = flat;
  const { maximum = limit, exclusiveMaximum = Infinity } = flat;
  return {
    min: Math.max(minimum, exclusiveMinimum + STEP, -limit),
    max: Math.min(maximum, exclusiveMaximum - STEP, limit),
  };
}

/** The least and greatest integer that a schema allows, within what every JSON reader keeps (RFC 7493, section 2.2). */
export function toIntegerRange(flat: FlatSchema): Range {
  const limit = flat.format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = flat;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = flat;
  return {
    min: Math.max(
      Math.ceil(minimum),
      Math.floor(exclusiveMinimum) + 1,
      flat.format === "int32" ? -limit - 1 : -limit,
    ),
    max: Math.min(Math.floor(maximum), Math.ceil(exclusiveMaximum) - 1, limit),
  };
}

/** Enough for steps of four decimals. */
const MAX_TIMES = 10_000;

/** The integers among the multiples of 0.5 are the multiples of 1. */
function toIntegerStep(multipleOf = 1): number {
  for (let times = 1; times <= MAX_TIMES; times += 1) {
    const step = Number((multipleOf * times).toPrecision(12));
    if (Number.isInteger(step)) return step;
  }
  return Number.MAX_SAFE_INTEGER;
}

/** The allowed part of the usual range, else the nearest allowed range of the same width. */
function narrow(allowed: Range, usual: Range): Range {
  const width = usual.max - usual.min;
  if (allowed.min > usual.max) return { min: allowed.min, max: Math.min(allowed.max, allowed.min + width) };
  if (allowed.max < usual.min) return { min: Math.max(allowed.min, allowed.max - width), max: allowed.max };
  return { min: Math.max(allowed.min, usual.min), max: Math.min(allowed.max, usual.max) };
}
