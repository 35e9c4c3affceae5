import { CHECKS, type CheckName } from "../checks/check.js";
import type { VerifyResult } from "../result.js";

/** A suite for each operation and a case for each check, as CI systems show them. */
export function toJunit({ title, time, failures, operations, notes, seed }: VerifyResult): string {
  const checks = Object.keys(CHECKS) as CheckName[];
  const suites = operations.map(({ id, label }) => {
    const own = failures.filter((failure) => failure.operations.includes(id));
    const cases = checks.map((check) => {
      const found = own.filter((failure) => failure.check === check);
      const failed = found.map(({ message, curl, answer }) => {
        const text = [...curl, answer === undefined ? "" : `${answer.status} ${answer.body}`].join("\n");
        return `      <failure type="${check}" message="${escape(message)}">${escape(text)}</failure>\n`;
      });
      const head = `    <testcase classname="${escape(id)}" name="${escape(CHECKS[check])}"`;
      return failed.length === 0 ? `${head}/>\n` : `${head}>\n${failed.join("")}    </testcase>\n`;
    });
    const count = new Set(own.map(({ check }) => check)).size;
    return `  <testsuite name="${escape(label)}" tests="${checks.length}" failures="${count}">\n${cases.join("")}  </testsuite>\n`;
  });
  const notice = [...notes, `seed ${seed}`].map(
    (note) => `<!-- ${escape(note).replaceAll("--", "- -")} -->\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${notice.join("")}<testsuites name="${escape(title)}" time="${(time / 1000).toFixed(3)}">\n${suites.join("")}</testsuites>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML cannot have are shown as U+FFFD. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
