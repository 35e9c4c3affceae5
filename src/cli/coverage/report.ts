import { COVERAGE_KINDS, type CoverageItem, type CoverageKind } from "tenon/core/coverage";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Output, UsageError } from "../output/context.js";

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

/** @param locate Finds the author's position of a pointer in the bundled contract. */
export function createReport(
  items: readonly CoverageItem[],
  { covered, undeclared }: CoverageRecord,
  locate: (pointer: string) => Pick<PlacedItem, "file" | "line">,
): CoverageReport {
  const placed = items.map((item) => {
    return { ...item, ...locate(item.pointer), isCovered: covered.has(item.id) };
  });
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

/** One line of a record, see `CoverageRecorder`. */
interface Line {
  readonly contract?: string;
  readonly id?: string;
  readonly undeclared?: string;
}

/**
 * Reads the records of one contract.
 * @param contract Absolute path of its `contract.json`.
 * @throws {UsageError} when the folder cannot be read, or the runtime did not write one of its lines.
 */
export function readRecords(folder: string, contract: string): CoverageRecord {
  const contracts = new Set<string>();
  const covered = new Set<string>();
  const undeclared = new Set<string>();
  for (const file of listRecords(folder)) {
    const lines = readLines(join(folder, file));
    const of = lines.find((line) => line.contract !== undefined)?.contract;
    if (of !== undefined) contracts.add(of);
    if (of !== contract) continue;
    for (const line of lines) {
      if (line.id !== undefined) covered.add(line.id);
      if (line.undeclared !== undefined) undeclared.add(line.undeclared);
    }
  }
  return { contracts: [...contracts], covered, undeclared: [...undeclared] };
}

function listRecords(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch (error) {
    throw new UsageError(`Cannot read the records in ${folder}: ${(error as Error).message}`);
  }
}

/** A process that is killed while it writes leaves half a line at the end. */
function readLines(file: string): readonly Line[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Line;
    } catch {
      throw new UsageError(`${file}:${index + 1} is not a line of a coverage record; remove the file.`);
    }
  });
}

/** The number of lines of a list that are printed. */
const MOST_LINES = 20;

/** A line for each item, and one for all operations that share an item, such as a response in `components`. */
function toLines(items: readonly PlacedItem[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { file, line, kind, title } of items) {
    const [, owner = "", item = title] = /^([\w$-]+): (.*)$/s.exec(title) ?? [];
    const key = JSON.stringify([`${file}:${line}  ${kind}`, item]);
    groups.set(key, [...(groups.get(key) ?? []), owner]);
  }
  return [...groups].map(([key, [owner = "", ...others]]) => {
    const [place = "", item = ""] = JSON.parse(key) as readonly string[];
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return `${place}  ${owner === "" ? item : `${owner}${more}: ${item}`}`;
  });
}

/** Prints the counts, and every item that is not covered with its position. */
export function printCoverage(report: CoverageReport, output: Output): void {
  const rows = [...report.kinds, { kind: "all", ...report.total }].map(
    ({ kind, covered, total, percent }) => [kind, `${covered}/${total}`, `${percent} %`] as const,
  );
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length));
  for (const [kind, counts, percent] of rows)
    output.write(`${kind.padEnd(width(0))}  ${counts.padStart(width(1))}  ${percent.padStart(width(2))}\n`);
  const missed = report.points.filter(({ isCovered }) => !isCovered);
  printList("Not covered", toLines(missed), output);
  printList("Not declared", report.undeclared, output);
  if (report.unknown > 0)
    output.write(
      `${report.unknown} recorded items are not in this contract: generate, and run the tests again.\n`,
    );
}

function printList(heading: string, lines: readonly string[], output: Output): void {
  if (lines.length === 0) return;
  output.write(`\n${heading}:\n`);
  for (const line of lines.slice(0, MOST_LINES)) output.write(`  ${line}\n`);
  if (lines.length > MOST_LINES)
    output.write(`  and ${lines.length - MOST_LINES} more; --json and --html list all\n`);
}
