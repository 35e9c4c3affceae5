import { cpus } from "node:os";
import process from "node:process";

/** The middle value; of an even number of them, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** Median with the least and the most: `1.23 (1.20–1.31)`. */
export function formatSpread(values: readonly number[], digits = 2): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

/** A Markdown table as Prettier formats it: every column as wide as its widest cell. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  const format = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [head, rule, ...rows].map(format).join("");
}

/** `Node 20.20.2, 2 × AMD EPYC`. */
export function describeMachine(): string {
  return `Node ${process.versions.node}, ${describeProcessor()}`;
}

/** `2 × AMD EPYC`. */
export function describeProcessor(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}`;
}
