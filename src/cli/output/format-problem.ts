import type { Problem } from "tenon/core/document";
import { createCodeFrames } from "./code-frame.js";
import type { CommandContext, Output } from "./context.js";
import { createPaint, type Paint } from "./terminal.js";
import { toVisible } from "./visible.js";
import { showPath } from "./show-path.js";

/** Maximum number of problems that are printed on a terminal. */
export const MAX_PRINTED = 100;

/** Maximum number of problems that are printed with their source lines: more would not fit on a screen. */
const MOST_SHOWN = 8;

/** Longer messages are cut, in characters: they may quote a long value of the contract. */
const MAX_MESSAGE = 1_000;

const PLAIN: Paint = (text) => text;

/** Formats a problem as one line that editors and terminals link: `openapi/v1.yaml:12:7  struct  error: Property …`. */
export function formatProblem(problem: Problem, cwd: string, paint: Paint = PLAIN): string {
  const { line, column, code, severity, hint } = problem;
  const message =
    problem.message.length > MAX_MESSAGE ? `${problem.message.slice(0, MAX_MESSAGE)}…` : problem.message;
  // A message from a lint rule may have lines of its own.
  const text = (hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`).replace(/\s+/g, " ");
  const place = paint(`${toVisible(shownPath(problem, cwd))}:${line}:${column}`, "bold");
  return `${place}  ${toVisible(code)}  ${paint(severity, severity === "error" ? "red" : "yellow")}: ${toVisible(text)}\n`;
}

/**
 * Writes problems in the order of their places. A terminal gets the first hundred, errors before warnings, and a note on how to see
 * the rest; source lines are added when there are only a few. A file or a pipe gets all problems.
 */
export function writeProblems(
  problems: readonly Problem[],
  output: Output,
  { cwd, program }: Pick<CommandContext, "cwd" | "program">,
  most = output.isTTY === true ? MAX_PRINTED : Infinity,
): void {
  const bySeverity = ["error", "warning"].flatMap((severity) =>
    sortProblems(problems.filter((problem) => problem.severity === severity)),
  );
  const paint = createPaint(output);
  const frames = createCodeFrames(output.columns);
  const hasFrames = output.isTTY === true && problems.length <= MOST_SHOWN;
  for (const problem of sortProblems(bySeverity.slice(0, most))) {
    output.write(formatProblem(problem, cwd, paint));
    for (const line of hasFrames ? frames(problem) : []) output.write(`${paint(line, "dim")}\n`);
  }
  const rest = problems.length - most;
  if (rest > 0) output.write(`and ${rest} more; "${program} lint --json" prints all\n`);
}

/** Sorts problems by file, line and column. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...problems].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code),
  );
}

/** Removes duplicates: several APIs can share a file, and so its problems. */
export function uniqueProblems(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Converts a problem to its form in `--json`. */
export function toJsonProblem(problem: Problem, cwd: string): Problem {
  return { ...problem, file: shownPath(problem, cwd) };
}

function shownPath({ file }: Problem, cwd: string): string {
  return /^https?:/.test(file) ? file : showPath(file, cwd);
}
