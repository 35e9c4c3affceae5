import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { CHECKS, type CheckName } from "../checks/index.js";
import type { Failure, VerifyResult } from "../result.js";
import { countMismatches, inOrder } from "./text.js";

/** Formats a result as one self-contained page, for an artifact of CI. */
export function toHtml(result: VerifyResult, command: string): string {
  const { title, version, base, failures, operations, notes, requests, time, seed } = result;
  const found = countMismatches(failures);
  const checks = Object.keys(CHECKS) as CheckName[];
  const body = `<main>
<h1>${escapeMarkup(title)} ${escapeMarkup(version)}</h1>
<p><strong class="${failures.length === 0 ? "good" : "bad"}">${escapeMarkup(found)}</strong> at <code>${escapeMarkup(base)}</code>, with ${requests} requests in ${(time / 1000).toFixed(1)} s.</p>
<p>To repeat it: <code>${escapeMarkup(`${command} --seed ${seed}`)}</code></p>
${inOrder(failures).map(toSection).join("")}
<h2>Checks</h2>
<ul>
${checks.map((check) => `<li class="${failures.some((one) => one.check === check) ? "bad" : "good"}"><b>${check}</b> ${escapeMarkup(CHECKS[check])}</li>\n`).join("")}</ul>
<h2>Operations</h2>
<table>
<tr><th>Operation<th>Responses</tr>
${operations.map(({ label, statuses }) => `<tr><td><code>${escapeMarkup(label)}</code><td>${toCounts(statuses)}</tr>\n`).join("")}</table>
${notes.map((note) => `<p>${escapeMarkup(note)}</p>\n`).join("")}</main>
`;
  return createHtmlPage({ title: `${found}: ${title}`, head: `<style>${STYLE}</style>\n`, body });
}

function toSection({ check, label, message, operations, curl, answer: response, phase }: Failure): string {
  const shown =
    response === undefined ? "" : `${response.status} ${response.contentType ?? ""}\n${response.body}`;
  return `<section>
<h2>${escapeMarkup(message)}</h2>
<p><b>${check}</b> <code>${escapeMarkup(label)}</code> ${escapeMarkup(operations.join(", "))}, ${phase}</p>
<pre>${escapeMarkup(curl.join("\n"))}</pre>
<pre>${escapeMarkup(shown)}</pre>
</section>
`;
}

function toCounts(statuses: Readonly<Record<string, number>>): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${escapeMarkup(status)} × ${count}`);
  return counts.length === 0 ? "not tested" : counts.join(", ");
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
