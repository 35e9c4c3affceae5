import type { Level } from "../change.js";
import type { Diff } from "../diff-contracts.js";
import { groupChanges, showOperations } from "../group-changes.js";
import { findSilent, showClients, showConsequences, showError, takeFirst } from "./impact.js";
import { showCounts, showImpact, showKinds, showPolicy, showUncompared, showVersion } from "./summary.js";
import type { CodePlace } from "../../impact/index.js";
import type { ReadSourceLine } from "../../output/code-frame.js";
import type { Output } from "../../output/context.js";
import { type Colour, createPaint } from "../../output/terminal.js";
import { toVisible } from "../../output/visible.js";

const COLOURS = { breaking: "red", risky: "yellow", safe: "green" } as const satisfies Record<Level, Colour>;

/** Maximum number of changes on a terminal. */
const MAX_CHANGES = 100;

/** Maximum number of code places for each change, and of parts that are not compared, on a terminal. */
const MAX_PLACES = 10;

interface TextOptions {
  readonly readLine: ReadSourceLine;
  /** Lists the kinds of parts that are never compared. Default: their number only. */
  readonly verbose?: boolean;
}

/** Writes changes for people; on a terminal with source lines, and with colours if enabled. */
export function writeText(diff: Diff, output: Output, { readLine, verbose = false }: TextOptions): void {
  const isTerminal = output.isTTY === true;
  const paint = createPaint(output);
  const groups = groupChanges(diff.changes);
  const max = isTerminal ? MAX_CHANGES : Infinity;
  const listNew = createErrorList(isTerminal ? MAX_PLACES : Infinity);
  const write = (lines: readonly string[]) => {
    for (const line of lines) output.write(`${line}\n`);
  };
  for (const { change, operations, impact } of groups.slice(0, max)) {
    const { code, level, file, line, message, why, ignored } = change;
    const source = isTerminal ? readLine(file, line) : undefined;
    write([
      `${paint(level, COLOURS[level])}  ${code}  ${toVisible(showOperations(operations))}`,
      `  ${toVisible(`${file}:${line}  ${message}`)}`,
      ...(source === undefined ? [] : [`  ${paint(`${line} | ${toVisible(source)}`, "dim")}`]),
      `  ${toVisible(ignored === undefined ? why : `Ignored: ${ignored}`)}`,
      ...[...showConsequences(change, impact), ...listNew(impact?.places)].map(
        (text) => `  ${toVisible(text)}`,
      ),
    ]);
  }
  const version = showVersion(diff);
  const summary = [
    ...(groups.length > max ? [`and ${groups.length - max} more; "--format json" lists all of them`] : []),
    ...showOthers(diff, listNew),
    showCounts(diff),
    ...(diff.impact === undefined ? [] : [showImpact(diff.impact)]),
    ...(version === undefined ? [] : [version]),
    ...(diff.notCompared.length > 0 ? ["Different, but not compared:"] : []),
    ...takeFirst(showUncompared(diff), isTerminal ? MAX_PLACES : Infinity).map((line) => `  ${line}`),
    showPolicy(diff),
    showKinds(diff, verbose),
  ];
  write(summary.map(toVisible));
}

/** Lists errors of the compiler, each with its first change only. */
type ListErrors = (places?: readonly CodePlace[]) => readonly string[];

function createErrorList(max: number): ListErrors {
  const listed = new Set<string>();
  return (places = []) => {
    const lines = places.map(showError).filter((line) => !listed.has(line));
    for (const line of lines) listed.add(line);
    return takeFirst(lines, max);
  };
}

/** Describes the impact that belongs to no change. */
function showOthers(diff: Diff, listNew: ListErrors): readonly string[] {
  const { elsewhere = [] } = diff.impact ?? {};
  return [
    ...findSilent(diff).flatMap((found) => [
      `code      ${found.operation ?? "the contract"}`,
      ...[...showClients("safe", found), ...listNew(found.places)].map((text) => `  ${text}`),
    ]),
    ...(elsewhere.length > 0 ? ["code      other code that does not compile"] : []),
    ...listNew(elsewhere).map((text) => `  ${text}`),
  ];
}
