import { escapeXml } from "../../output/markup.js";
import { CHECKS, type CheckName } from "../checks/index.js";
import type { VerifyResult } from "../result.js";

/** Formats a result as JUnit XML: a suite for each operation and a case for each check. */
export function toJunit({ title, time, failures, operations, notes, seed }: VerifyResult): string {
  const checks = Object.keys(CHECKS) as CheckName[];
  const suites = operations.map(({ id, label }) => {
    const own = failures.filter((failure) => failure.operations.includes(id));
    const cases = checks.map((check) => {
      const found = own.filter((failure) => failure.check === check);
      const failed = found.map(({ message, curl, answer: response }) => {
        const shown = response === undefined ? "" : `${response.status} ${response.body}`;
        const text = [...curl, shown].join("\n");
        return `      <failure type="${check}" message="${escapeXml(message)}">${escapeXml(text)}</failure>\n`;
      });
      const head = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(CHECKS[check])}"`;
      return failed.length === 0 ? `${head}/>\n` : `${head}>\n${failed.join("")}    </testcase>\n`;
    });
    const count = new Set(own.map(({ check }) => check)).size;
    return `  <testsuite name="${escapeXml(label)}" tests="${checks.length}" failures="${count}">\n${cases.join("")}  </testsuite>\n`;
  });
  const notice = [...notes, `seed ${seed}`].map(
    (note) => `<!-- ${escapeXml(note).replaceAll("--", "- -")} -->\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${notice.join("")}<testsuites name="${escapeXml(title)}" time="${(time / 1000).toFixed(3)}">\n${suites.join("")}</testsuites>\n`;
}
