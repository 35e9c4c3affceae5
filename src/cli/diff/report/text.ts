import type { Level } from "../change.js";
import type { Diff } from "../diff-contracts.js";
import { groupChanges, showOperations } from "../group-changes.js";
import { createImpactWriter } from "./impact-text.js";
import { showCounts, showVersion } from "./summary.js";
import type { Output } from "../../output/context.js";
import { type Colour, createPaint } from "../../output/terminal.js";

const COLOURS = { breaking: "red", risky: "yellow", safe: "green" } as const satisfies Record<Level, Colour>;

/** Maximum number of changes on a terminal. */
const MAX_CHANGES = 100;

/** Maximum number of code places for each change on a terminal. */
const MAX_PLACES = 10;

/** Reads a line of a file; undefined where the file cannot be read. */
export type ReadLine = (file: string, line: number) => string | undefined;

/** Writes changes for people; on a terminal with source lines, and with colours if enabled. */
export function writeText(diff: Diff, output: Output, readLine: ReadLine): void {
  const isTerminal = output.isTTY === true;
  const paint = createPaint(output);
  const groups = groupChanges(diff.changes);
  const max = isTerminal ? MAX_CHANGES : Infinity;
  const impact = createImpactWriter(diff, {
    write: (line) => output.write(`${toPlain(line)}\n`),
    maxPlaces: isTerminal ? MAX_PLACES : Infinity,
  });
  for (const { change, operations, impact: found } of groups.slice(0, max)) {
    const { code, level, file, line, message, why, ignored } = change;
    output.write(`${paint(level, COLOURS[level])}  ${code}  ${toPlain(showOperations(operations))}\n`);
    output.write(`  ${toPlain(`${file}:${line}  ${message}`)}\n`);
    const source = isTerminal ? readLine(file, line) : undefined;
    if (source !== undefined) output.write(`  ${paint(`${line} | ${toPlain(source)}`, "dim")}\n`);
    output.write(`  ${ignored === undefined ? why : `Ignored: ${ignored}`}\n`);
    impact.writeChange(change, found);
  }
  if (groups.length > max)
    output.write(`and ${groups.length - max} more; "--format json" lists all of them\n`);
  impact.writeOthers();
  output.write(`${showCounts(diff)}\n`);
  impact.writeSummary();
  const version = showVersion(diff);
  if (version !== undefined) output.write(`${version}\n`);
  output.write(`Not compared: ${diff.notJudged.join("; ")}.\n`);
}

/** Removes control characters, so that text from a contract cannot control the terminal. */
export function toPlain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
