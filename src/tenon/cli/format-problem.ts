import { relative } from "node:path";
import type { Problem } from "../contract/problem.js";

/** Formats a problem as one line that editors and terminals link: `openapi/v1.yaml:12:7  name-clash  Cannot name …`. */
export function formatProblem(problem: Problem, cwd: string): string {
  const { line, column, code, severity, message, hint } = problem;
  const warning = severity === "warning" ? "warning: " : "";
  // A message from a lint rule may have lines of its own.
  const text = [message, hint]
    .filter((part) => part !== undefined)
    .join(". ")
    .replace(/\s+/g, " ")
    .replaceAll("..", ".");
  return `${shownPath(problem, cwd)}:${line}:${column}  ${code}  ${warning}${text}\n`;
}

/** A problem as `--json` prints it. */
export function toJsonProblem(problem: Problem, cwd: string): Problem {
  return { ...problem, file: shownPath(problem, cwd) };
}

function shownPath({ file }: Problem, cwd: string): string {
  return /^https?:/.test(file) ? file : relative(cwd, file);
}
