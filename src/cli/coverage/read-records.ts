import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CoverageRecord } from "./report.js";
import { UsageError } from "../output/context.js";

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
