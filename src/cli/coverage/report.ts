import type { Point, PointKind } from "tenon/core/coverage/points";
import { POINT_KINDS } from "tenon/core/coverage/points";

/** What the runtime wrote down, of all the processes of a run. */
export interface CoverageRecord {
  /** Absolute paths of the contracts that were enforced. */
  readonly contracts: readonly string[];
  /** Ids of points. */
  readonly covered: ReadonlySet<string>;
  readonly undeclared: readonly string[];
}

export interface PlacedPoint extends Point {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly isCovered: boolean;
}

export interface CoverageCount {
  readonly covered: number;
  readonly total: number;
  /** Rounded down, so that 100 means all. */
  readonly percent: number;
}

export interface CoverageReport {
  readonly total: CoverageCount;
  /** Kinds that the contract has something of. */
  readonly kinds: readonly (CoverageCount & { readonly kind: PointKind })[];
  /** In the order of the contract. */
  readonly points: readonly PlacedPoint[];
  /** What was asked for or answered, and is not declared. */
  readonly undeclared: readonly string[];
  /** Points that were written down and are none of this contract: it was another one that ran. */
  readonly unknown: number;
}

/** Where a point of the bundled contract is written. */
export type LocatePoint = (pointer: string) => { readonly file: string; readonly line: number };

export function createReport(
  points: readonly Point[],
  { covered, undeclared }: CoverageRecord,
  locate: LocatePoint,
): CoverageReport {
  const placed = points.map((point) => ({
    ...point,
    ...locate(point.pointer),
    isCovered: covered.has(point.id),
  }));
  const known = new Set(points.map(({ id }) => id));
  return {
    total: count(placed),
    kinds: POINT_KINDS.flatMap((kind) => {
      const own = placed.filter((point) => point.kind === kind);
      return own.length === 0 ? [] : [{ kind, ...count(own) }];
    }),
    points: placed.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
    undeclared: undeclared.toSorted(),
    unknown: [...covered].filter((id) => !known.has(id)).length,
  };
}

function count(points: readonly PlacedPoint[]): CoverageCount {
  const covered = points.filter(({ isCovered }) => isCovered).length;
  const total = points.length;
  return { covered, total, percent: total === 0 ? 100 : Math.floor((covered / total) * 1000) / 10 };
}
