import type { CoverageReport } from "./report.js";
import type { Output } from "../output/context.js";

/** The number of lines of a list that are printed. */
const MOST_LINES = 20;

/** Prints the counts, and every item that is not covered with its position. */
export function printCoverage(report: CoverageReport, output: Output): void {
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
  printList(
    "Not covered",
    missed.map(({ file, line, kind, title }) => `${file}:${line}  ${kind}  ${title}`),
    output,
  );
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
