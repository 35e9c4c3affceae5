/** A median with the spread of the values around it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The value that `part` of all are below; between two of them it is interpolated. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Fewer values than these have no quartiles worth the name. */
const LEAST_FOR_QUARTILES = 4;

/**
 * Median and quartiles; of fewer than four values, the lowest and the highest instead of the quartiles.
 * @returns three significant digits of each, so that results which are kept do not claim more.
 */
export function toSpread(values: readonly number[]): Spread {
  const at = (part: number) => roundToDigits(quantile(values, part));
  const tail = values.length < LEAST_FOR_QUARTILES ? 0 : 0.25;
  return { median: at(0.5), low: at(tail), high: at(1 - tail) };
}

/** Rounds to three significant digits. */
export function roundToDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** Formats as `1.23 (1.20–1.31)`, and as `1.23` where there is no spread: one value, or all the same. */
export function formatMedian({ median, low, high }: Spread, digits: number): string {
  const text = median.toFixed(digits);
  return low === high ? text : `${text} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** Ratios to a reference within each round: what disturbs a round disturbs both. */
export function toRatios(values: readonly number[], reference: readonly number[]): readonly number[] {
  return values.map((value, round) => value / (reference[round] ?? NaN));
}

/** In any order, each as likely as the others (Fisher and Yates). */
export function shuffle<T>(values: readonly T[]): readonly T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}
