/** The middle of many figures, with the quarters below and above it cut off. */
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

/** @returns three significant digits of each, so that results which are kept do not claim more. */
export function toSpread(values: readonly number[]): Spread {
  const at = (part: number) => Number(quantile(values, part).toPrecision(3));
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
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
