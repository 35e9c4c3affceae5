import type { CoverageReport } from "./report.js";
import type { Output } from "../output/context.js";

/** Most lines of a list that people are told at once. */
const MOST_TOLD = 20;

/** Writes what was covered, and what was not with its place. */
export function writeCoverage(report: CoverageReport, output: Output): void {
  const rows = [...report.kinds, { kind: "all", ...report.total }].map(
    ({ kind, covered, total, percent }) => [kind, `${covered}/${total}`, `${percent} %`],
  );
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const [kind = "", counts = "", percent = ""] of rows) {
    output.write(
      `${kind.padEnd(widths[0] ?? 0)}  ${counts.padStart(widths[1] ?? 0)}  ${percent.padStart(widths[2] ?? 0)}\n`,
    );
  }
  const missed = report.points.filter(({ isCovered }) => !isCovered);
  tell(
    "Never happened",
    missed.map(({ file, line, kind, title }) => `${file}:${line}  ${kind}  ${title}`),
    output,
  );
  tell("Not declared", report.undeclared, output);
  if (report.unknown > 0)
    output.write(
      `${report.unknown} points are of another version of the contract: generate, and run the tests anew.\n`,
    );
}

function tell(heading: string, lines: readonly string[], output: Output): void {
  if (lines.length === 0) return;
  output.write(`\n${heading}:\n`);
  for (const line of lines.slice(0, MOST_TOLD)) output.write(`  ${line}\n`);
  if (lines.length > MOST_TOLD)
    output.write(`  and ${lines.length - MOST_TOLD} more; --json and --html tell all\n`);
}
