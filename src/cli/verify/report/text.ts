import { CHECKS } from "../checks/check.js";
import type { Failure, VerifyResult } from "../result.js";

/** The report for people: every failure with the line that shows it again, then what was tried. */
export function toText(result: VerifyResult, command: string): string {
  const { title, version, base, failures, requests, time, seed, operations, notes } = result;
  const lines = [`${title} ${version} at ${base}`, ""];
  for (const failure of inOrder(failures)) lines.push(...toLines(failure), "");
  const width = Math.max(0, ...operations.map(({ id }) => id.length));
  for (const { id, statuses } of operations) {
    const counts = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
    lines.push(`  ${id.padEnd(width)}  ${counts.join("  ") || "not tried"}`);
  }
  lines.push("", ...notes.map((note) => `note: ${note}`));
  const found =
    failures.length === 0 ? "No fault" : `${failures.length} ${failures.length === 1 ? "fault" : "faults"}`;
  lines.push(
    `${found} found with ${requests} requests in ${(time / 1000).toFixed(1)} s.`,
    `To repeat it: ${command} --seed ${seed}`,
    "",
  );
  return lines.join("\n");
}

/** In the order of the checks: what fails first, and what is only said wrongly last. */
export function inOrder(failures: readonly Failure[]): readonly Failure[] {
  const names = Object.keys(CHECKS);
  return failures.toSorted((a, b) => names.indexOf(a.check) - names.indexOf(b.check));
}

function toLines({ check, label, operations, message, curl, answer, phase }: Failure): readonly string[] {
  const [first = "", ...others] = operations;
  const also = others.length === 0 ? "" : `, and ${others.join(", ")}`;
  const body = answer === undefined ? "" : answer.body.replaceAll(/\s+/g, " ");
  return [
    `${check}  ${label} (${first}${also}), ${phase}`,
    `  ${message}`,
    ...curl.map((line) => `  $ ${line}`),
    ...(answer === undefined
      ? []
      : [`  ${[answer.status, answer.contentType, body].filter(Boolean).join("  ")}`]),
  ];
}
