import { CHECKS } from "../checks/index.js";
import type { Failure, VerifyResult } from "../result.js";

/** Formats a result for people: every failure with a curl line that reproduces it, then the tested operations. */
export function toText(result: VerifyResult, command: string): string {
  const { title, version, base, failures, requests, time, seed, operations, notes } = result;
  const lines = [`${title} ${version} at ${base}`, ""];
  for (const failure of inOrder(failures)) lines.push(...toLines(failure), "");
  const width = Math.max(0, ...operations.map(({ id }) => id.length));
  for (const { id, statuses } of operations) {
    const counts = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
    lines.push(`  ${id.padEnd(width)}  ${counts.join("  ") || "not tested"}`);
  }
  lines.push("", ...notes.map((note) => `note: ${note}`));
  lines.push(
    `${countMismatches(failures)} found with ${requests} requests in ${(time / 1000).toFixed(1)} s.`,
    `To repeat it: ${command} --seed ${seed}`,
    "",
  );
  return lines.join("\n");
}

/** `No mismatches`, `1 mismatch`, `2 mismatches` */
export function countMismatches({ length }: readonly Failure[]): string {
  return length === 1 ? "1 mismatch" : `${length === 0 ? "No" : length} mismatches`;
}

/** Sorts failures by their checks, the most severe first. */
export function inOrder(failures: readonly Failure[]): readonly Failure[] {
  const names = Object.keys(CHECKS);
  return failures.toSorted((a, b) => names.indexOf(a.check) - names.indexOf(b.check));
}

function toLines({
  check,
  label,
  operations,
  message,
  curl,
  answer: response,
  phase,
}: Failure): readonly string[] {
  const [first = "", ...others] = operations;
  const also = others.length === 0 ? "" : `, and ${others.join(", ")}`;
  const body = response === undefined ? "" : response.body.replaceAll(/\s+/g, " ");
  return [
    `${check}  ${label} (${first}${also}), ${phase}`,
    `  ${message}`,
    ...curl.map((line) => `  $ ${line}`),
    ...(response === undefined
      ? []
      : [`  ${[response.status, response.contentType, body].filter(Boolean).join("  ")}`]),
  ];
}
