import { type DiffReport, groupChanges } from "../../diff/index.js";
import { showCounts, showImpact, showVersion, toNotes, toOtherNotes } from "../../diff/report/index.js";
import { escapeMarkup } from "../../output/markup.js";
import { createChangesPage } from "./changes-page.js";
import { renderChange, renderNotes, type ShownChange } from "./render-change.js";

/** Changes under one heading. */
interface Group {
  readonly name: string;
  readonly changes: ShownChange[];
  /** Each change lists its operations. */
  readonly isShared: boolean;
}

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
  return createChangesPage({
    title: "API changes",
    introduction: [
      `<p>From <code>${escapeMarkup(report.base)}</code> to <code>${escapeMarkup(report.revision)}</code></p>\n`,
      `<p><strong>${escapeMarkup(showCounts(report))}</strong></p>\n`,
      version === undefined ? "" : `<p>${escapeMarkup(version)}</p>\n`,
      impact === undefined ? "" : `<p>${escapeMarkup(showImpact(impact))}</p>\n`,
    ].join(""),
    changes,
    body:
      groups.length === 0
        ? "<p>No changes.</p>\n"
        : `${renderContents(groups)}${groups.map(renderGroup).join("")}`,
    footer: `${others.length === 0 ? "" : `<h2>Other code</h2>\n${renderNotes(others)}`}<p>Not compared: ${escapeMarkup(report.notJudged.join("; "))}.</p>\n`,
    kind: "self-contained",
  });
}

/** Groups changes by operation; the operation with the worst change comes first. */
function group(changes: readonly ShownChange[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const [operation, ...others] = change.operations;
    const isShared = others.length > 0;
    const name = isShared ? "Several operations" : (operation ?? "The contract");
    const own = groups.get(name) ?? { name, changes: [], isShared };
    groups.set(name, own);
    own.changes.push(change);
  }
  return [...groups.values()];
}

function renderContents(groups: readonly Group[]): string {
  if (groups.length < 2) return "";
  const links = groups.map(({ name, changes }, index) => {
    return `<li><a href="#group-${index}">${escapeMarkup(name)}</a> (${changes.length})</li>\n`;
  });
  return `<nav aria-label="Operations">
<details>
<summary>Operations</summary>
<ul>
${links.join("")}</ul>
</details>
</nav>
`;
}

function renderGroup({ name, changes, isShared }: Group, index: number): string {
  const items = changes.map((change) => renderChange(change, { heading: 3, operations: isShared }));
  return `<section id="group-${index}" data-group aria-labelledby="name-${index}">
<h2 id="name-${index}">${escapeMarkup(name)}</h2>
<ul class="changes" role="list">
${items.join("")}</ul>
</section>
`;
}
