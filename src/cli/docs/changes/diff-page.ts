import { type DiffReport, groupChanges } from "../../diff/index.js";
import {
  showCounts,
  showImpact,
  showKinds,
  showPolicy,
  showUncompared,
  showVersion,
  toNotes,
  toOtherNotes,
} from "../../diff/report/index.js";
import { type Html, html } from "../render/html.js";
import {
  createChangesPage,
  renderChanges,
  renderContents,
  renderNotes,
  type ShownChange,
} from "./changes-page.js";

/** Changes under one heading. */
type Group = readonly [name: string, changes: readonly ShownChange[]];

/** Creates the page of a comparison: one HTML file, grouped by operation. */
export function createDiffPage(report: DiffReport): string {
  const changes = groupChanges(report.changes).map((found): ShownChange => {
    const { change, operations } = found;
    const { file, line } = change;
    return { ...change, operations, place: `${file}:${line}`, notes: toNotes(found) };
  });
  const groups = group(changes);
  const version = showVersion(report);
  const { impact } = report;
  const others = toOtherNotes(report);
  const uncompared = showUncompared(report);
  return createChangesPage({
    title: "API changes",
    introduction: html`<p>From <code>${report.base}</code> to <code>${report.revision}</code></p>
<p><strong>${showCounts(report)}</strong></p>
${version !== undefined && html`<p>${version}</p>\n`}${impact !== undefined && html`<p>${showImpact(impact)}</p>\n`}`,
    changes,
    body:
      groups.length === 0
        ? html`<p>No changes.</p>\n`
        : html`${renderContents("Operations", groups.map(renderLink))}${groups.map(renderGroup)}`,
    footer: html`${others.length > 0 && html`<h2>Other code</h2>\n${renderNotes(others)}`}${
      uncompared.length > 0 && html`<h2>Different, but not compared</h2>\n${renderNotes(uncompared)}`
    }<p>${`${showPolicy(report)}. ${showKinds(report)}`}</p>
`,
  });
}

/** Groups changes by operation; the operation with the worst change comes first. */
function group(changes: readonly ShownChange[]): readonly Group[] {
  const groups = new Map<string, ShownChange[]>();
  for (const change of changes) {
    const [operation = "The contract", ...others] = change.operations;
    const isShared = others.length > 0;
    const name = isShared ? "Several operations" : operation;
    const own = groups.get(name) ?? [];
    groups.set(name, own);
    // Below the heading of its operation, a change does not repeat it.
    own.push(isShared ? change : { ...change, operations: [] });
  }
  return [...groups];
}

function renderLink([name, changes]: Group, index: number): Html {
  return html`<a href="#group-${index}">${name}</a> (${changes.length})`;
}

function renderGroup([name, changes]: Group, index: number): Html {
  return html`<section id="group-${index}" data-group aria-labelledby="name-${index}">
<h2 id="name-${index}">${name}</h2>
${renderChanges(changes, 3)}</section>
`;
}
