import { count } from "../output/count.js";
import { createHtmlPage } from "../output/html-page.js";
import { escapeMarkup, escapeXml } from "../output/markup.js";
import { toVisible } from "../output/visible.js";
import { CHECKS, type CheckName } from "./checks/index.js";
import type { Failure, VerifyResult } from "./result.js";

const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** Formats a result for people: every failure with a curl line that reproduces it, then the tested operations. */
export function toText(result: VerifyResult, command: string): string {
  const { title, version, base, failures, seed, operations, notes } = result;
  const lines = [`${title} ${version} at ${base}`, ""];
  for (const failure of inOrder(failures)) lines.push(...toLines(failure), "");
  const width = Math.max(0, ...operations.map(({ id }) => id.length));
  for (const { id, statuses } of operations)
    lines.push(`  ${id.padEnd(width)}  ${countStatuses(statuses).join("  ") || "not tested"}`);
  lines.push("", ...notes.map((note) => `note: ${note}`), ...explainPages(result));
  lines.push(
    `${countMismatches(failures)} found ${showEffort(result)}.`,
    `To repeat it: ${command} --seed ${seed}`,
    "",
  );
  return lines.map(toVisible).join("\n");
}

/** Says of each list whether the check `pages` has read it. */
function explainPages({ pages }: VerifyResult): readonly string[] {
  if (pages.length === 0)
    return ["pages: not checked, because no tested operation lists what another creates."];
  return pages.map(({ id, pages: read = 0, reason }) =>
    reason === undefined
      ? `pages: ${id} was checked (${count(read, "page")}).`
      : `pages: ${id} was not checked: ${reason}.`,
  );
}

/** `No mismatches`, `1 mismatch`, `2 mismatches` */
function countMismatches({ length }: readonly Failure[]): string {
  return length === 1 ? "1 mismatch" : `${length === 0 ? "No" : length} mismatches`;
}

function countStatuses(statuses: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(statuses).map(([status, times]) => `${status} × ${times}`);
}

function showEffort({ requests, time }: VerifyResult): string {
  return `with ${requests} requests in ${(time / 1000).toFixed(1)} s`;
}

/** Sorts failures by their checks, the most severe first. */
export function inOrder(failures: readonly Failure[]): readonly Failure[] {
  return failures.toSorted((a, b) => CHECK_NAMES.indexOf(a.check) - CHECK_NAMES.indexOf(b.check));
}

function toLines(failure: Failure): readonly string[] {
  const { check, label, operations, message, curl, answer: response, phase, count: responses } = failure;
  const [first = "", ...others] = operations;
  const also = others.length === 0 ? "" : `, and ${others.join(", ")}`;
  const shown = response && [response.status, response.contentType, response.body.replaceAll(/\s+/g, " ")];
  return [
    `${check}  ${label} (${first}${also}), ${phase}${responses > 1 ? `, ${count(responses, "response")}` : ""}`,
    `  ${message}`,
    ...toAlso(failure).map((text) => `  ${text}`),
    ...curl.map((line) => `  $ ${line}`),
    ...(shown ? [`  ${shown.filter(Boolean).join("  ")}`] : []),
  ];
}

/** Lists the other parts that have a mismatch; the operations are shown anyway. */
function toAlso({ places, operations }: Failure): readonly string[] {
  const others = places.slice(1).filter((place) => !operations.includes(place));
  return others.length === 0 ? [] : [`also: ${others.join(", ")}`];
}

/** Formats a result as JUnit XML: a suite for each operation and a case for each check. */
export function toJunit(result: VerifyResult): string {
  const { title, time, failures, operations, notes, seed } = result;
  const suites = operations.map(({ id, label }) => {
    const own = failures.filter((failure) => failure.operations.includes(id));
    const cases = CHECK_NAMES.map((check) => {
      const found = own.filter((failure) => failure.check === check);
      const failed = found.map((failure) => {
        const { message, curl, answer: response } = failure;
        const shown = response === undefined ? "" : `${response.status} ${response.body}`;
        const text = [...toAlso(failure), ...curl, shown].join("\n");
        return `      <failure type="${check}" message="${escapeXml(message)}">${escapeXml(text)}</failure>\n`;
      });
      const head = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(CHECKS[check])}"`;
      return failed.length === 0 ? `${head}/>\n` : `${head}>\n${failed.join("")}    </testcase>\n`;
    });
    const failed = new Set(own.map(({ check }) => check)).size;
    return `  <testsuite name="${escapeXml(label)}" tests="${CHECK_NAMES.length}" failures="${failed}">\n${cases.join("")}  </testsuite>\n`;
  });
  const notice = [...notes, ...explainPages(result), `seed ${seed}`].map(
    (note) => `<!-- ${escapeXml(note).replaceAll("--", "- -")} -->\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${notice.join("")}<testsuites name="${escapeXml(title)}" time="${(time / 1000).toFixed(3)}">\n${suites.join("")}</testsuites>\n`;
}

/** Formats a result as one self-contained page, for an artifact of CI. */
export function toHtml(result: VerifyResult, command: string): string {
  const { title, version, base, failures, operations, notes, seed } = result;
  const found = countMismatches(failures);
  const body = `<main>
<h1>${escapeMarkup(title)} ${escapeMarkup(version)}</h1>
<p><strong class="${failures.length === 0 ? "good" : "bad"}">${escapeMarkup(found)}</strong> at <code>${escapeMarkup(base)}</code>, ${showEffort(result)}.</p>
<p>To repeat it: <code>${escapeMarkup(`${command} --seed ${seed}`)}</code></p>
${inOrder(failures).map(toSection).join("")}
<h2>Checks</h2>
<ul>
${CHECK_NAMES.map((check) => `<li class="${failures.some((one) => one.check === check) ? "bad" : "good"}"><b>${check}</b> ${escapeMarkup(CHECKS[check])}</li>\n`).join("")}</ul>
<h2>Operations</h2>
<table>
<tr><th>Operation<th>Responses</tr>
${operations.map(({ label, statuses }) => `<tr><td><code>${escapeMarkup(label)}</code><td>${countStatuses(statuses).map(escapeMarkup).join(", ") || "not tested"}</tr>\n`).join("")}</table>
${[...notes, ...explainPages(result)].map((note) => `<p>${escapeMarkup(note)}</p>\n`).join("")}</main>
`;
  return createHtmlPage({ title: `${found}: ${title}`, head: `<style>${STYLE}</style>\n`, body });
}

function toSection(failure: Failure): string {
  const { check, label, message, operations, curl, answer: response, phase, count: responses } = failure;
  const shown =
    response === undefined ? "" : `${response.status} ${response.contentType ?? ""}\n${response.body}`;
  return `<section>
<h2>${escapeMarkup(message)}</h2>
<p><b>${check}</b> <code>${escapeMarkup(label)}</code> ${escapeMarkup(operations.join(", "))}, ${phase}, ${count(responses, "response")}</p>
${toAlso(failure)
  .map((text) => `<p>${escapeMarkup(text)}</p>\n`)
  .join("")}<pre>${escapeMarkup(curl.join("\n"))}</pre>
<pre>${escapeMarkup(shown)}</pre>
</section>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-left: 4px solid #c62828; padding-left: 1rem; margin: 2rem 0; }
h2 { font-size: 1.1rem; }
pre { overflow-x: auto; padding: .75rem; background: #8881; white-space: pre-wrap; overflow-wrap: anywhere; }
td, th { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; }
ul { list-style: none; padding: 0; }
.good::before { content: "✓ "; color: #2e7d32; }
.bad::before { content: "✗ "; color: #c62828; }
`;
