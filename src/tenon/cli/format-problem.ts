import { relative } from "node:path";
import type { Problem } from "../contract/problem.js";

/** Formats a problem as one line that editors and terminals link: `openapi/v1.yaml:12:7  name-clash  Cannot name …`. */
export function formatProblem(
  { file, line, column, code, severity, message, hint }: Problem,
  cwd: string,
): string {
  const path = /^https?:/.test(file) ? file : relative(cwd, file);
  const warning = severity === "warning" ? "warning: " : "";
  // A message from a lint rule may have lines of its own.
  const text = [message, hint]
    .filter((part) => part !== undefined)
    .join(". ")
    .replace(/\s+/g, " ")
    .replaceAll("..", ".");
  return `${path}:${line}:${column}  ${code}  ${warning}${text}\n`;
}
