import { quantile } from "../bench/http/statistics.js";

/** What one window of a soak saw. */
export interface Window {
  /** Answers a second. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Least resident memory and least heap of all samples, in bytes: what the collector could not free. */
  readonly memory: number;
  readonly heap: number;
  /** What is open when all connections have been closed. */
  readonly handles: number;
  /** Requests that were answered with 503, or not sent because too many had no answer: the machine had too much other work. */
  readonly refused: number;
  /** Requests that were answered otherwise than they should, or lost with their connection. */
  readonly failed: number;
}

export type Figure = "memory" | "heap" | "handles" | "p99";

/** How much a figure may grow from the first window that counts to the last, as a part of its median. */
export const MOST_GROWTH: Readonly<Record<Figure, number>> = {
  memory: 0.1,
  heap: 0.1,
  handles: 0.1,
  p99: 0.5,
};

/** The part of all windows, from the start, in which a process gets warm. */
export const WARM_UP = 0.25;

export interface Verdict {
  /** Of each figure, as a part of its median. */
  readonly growth: Readonly<Record<Figure, number>>;
  readonly failed: number;
  readonly isFlat: boolean;
}

/**
 * A figure is flat when the line through it does not rise by more than it may. The line is that of Theil and Sen, the median
 * of the slopes between all pairs of windows, which a few disturbed windows do not bend.
 */
export function judge(windows: readonly Window[]): Verdict {
  const counted = windows.slice(Math.ceil(windows.length * WARM_UP));
  const growthOf = (figure: Figure) => toGrowth(counted.map((window) => window[figure]));
  const growth = {
    memory: growthOf("memory"),
    heap: growthOf("heap"),
    handles: growthOf("handles"),
    p99: growthOf("p99"),
  };
  const failed = windows.reduce((sum, window) => sum + window.failed, 0);
  const isFlat = (Object.keys(growth) as Figure[]).every((figure) => growth[figure] <= MOST_GROWTH[figure]);
  return { growth, failed, isFlat: isFlat && failed === 0 };
}

function toGrowth(values: readonly number[]): number {
  const slopes = values.flatMap((from, first) =>
    values.slice(first + 1).map((to, distance) => (to - from) / (distance + 1)),
  );
  return slopes.length === 0 ? 0 : (quantile(slopes, 0.5) * (values.length - 1)) / quantile(values, 0.5);
}
