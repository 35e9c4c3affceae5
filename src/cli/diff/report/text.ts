import type { Level } from "../change.js";
import type { Verdict } from "../judge.js";
import type { Output } from "../../output/context.js";
import { type Colour, createPaint } from "../../output/paint.js";
import { groupChanges, showOperations } from "./group.js";
import { createImpactWriter } from "./impact-text.js";
import { showCounts, showVersion } from "./summary.js";

const COLOURS = { breaking: "red", risky: "yellow", safe: "green" } as const satisfies Record<Level, Colour>;

/** Most changes that a terminal is given at once. */
const MOST_TOLD = 100;

/** Most places of code that a terminal is given for each change. */
const MOST_PLACES = 10;

/** A line of a file as it is written; undefined where the file cannot be read here. */
export type ReadLine = (file: string, line: number) => string | undefined;

/** Writes changes for people, on a terminal with the lines in question and in colours where they are wanted. */
export function writeText(verdict: Verdict, output: Output, readLine: ReadLine): void {
  const isTerminal = output.isTTY === true;
  const paint = createPaint(output);
  const groups = groupChanges(verdict.changes);
  const most = isTerminal ? MOST_TOLD : Infinity;
  const impact = createImpactWriter(verdict, {
    write: (line) => output.write(`${toPlain(line)}\n`),
    most: isTerminal ? MOST_PLACES : Infinity,
  });
  for (const { change, operations, impact: found } of groups.slice(0, most)) {
    const { code, level, file, line, message, why, ignored } = change;
    output.write(`${paint(level, COLOURS[level])}  ${code}  ${toPlain(showOperations(operations))}\n`);
    output.write(`  ${toPlain(`${file}:${line}  ${message}`)}\n`);
    const source = isTerminal ? readLine(file, line) : undefined;
    if (source !== undefined) output.write(`  ${paint(`${line} | ${toPlain(source)}`, "dim")}\n`);
    output.write(`  ${ignored === undefined ? why : `Ignored: ${ignored}`}\n`);
    impact.writeChange(change, found);
  }
  if (groups.length > most)
    output.write(`and ${groups.length - most} more; "--format json" tells all of them\n`);
  impact.writeOthers();
  output.write(`${showCounts(verdict)}\n`);
  impact.writeSummary();
  const version = showVersion(verdict);
  if (version !== undefined) output.write(`${version}\n`);
  output.write(`Not judged: ${verdict.notJudged.join("; ")}.\n`);
}

/** What comes from a contract has no say in how a terminal looks. */
export function toPlain(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what has to go
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
