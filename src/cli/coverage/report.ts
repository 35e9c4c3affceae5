import { COVERAGE_KINDS, type CoverageItem, type CoverageKind } from "tenon/core/coverage";

/** The records of the runtime, of all processes of a run. */
export interface CoverageRecord {
  /** Absolute paths of the contracts that were enforced. */
  readonly contracts: readonly string[];
  /** Ids of coverage items. */
  readonly covered: ReadonlySet<string>;
  readonly undeclared: readonly string[];
}

export interface PlacedItem extends CoverageItem {
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
  /** The kinds that the contract has items of. */
  readonly kinds: readonly (CoverageCount & { readonly kind: CoverageKind })[];
  /** The coverage items, by file and line. The name is that of the JSON output. */
  readonly points: readonly PlacedItem[];
  /** Parts of requests and responses that the contract does not declare. */
  readonly undeclared: readonly string[];
  /** The number of recorded items that this contract does not have: another version of it ran. */
  readonly unknown: number;
}

/** Finds the author's position of a pointer in the bundled contract. */
export type LocateItem = (pointer: string) => { readonly file: string; readonly line: number };

export function createReport(
  items: readonly CoverageItem[],
  { covered, undeclared }: CoverageRecord,
  locate: LocateItem,
): CoverageReport {
  const placed = items.map((item) => ({
    ...item,
    ...locate(item.pointer),
    isCovered: covered.has(item.id),
  }));
  const known = new Set(items.map(({ id }) => id));
  return {
    total: count(placed),
    kinds: COVERAGE_KINDS.flatMap((kind) => {
      const own = placed.filter((item) => item.kind === kind);
      return own.length === 0 ? [] : [{ kind, ...count(own) }];
    }),
    points: placed.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
    undeclared: undeclared.toSorted(),
    unknown: [...covered].filter((id) => !known.has(id)).length,
  };
}

function count(items: readonly PlacedItem[]): CoverageCount {
  const covered = items.filter(({ isCovered }) => isCovered).length;
  const total = items.length;
  return { covered, total, percent: total === 0 ? 100 : Math.floor((covered / total) * 1000) / 10 };
}
