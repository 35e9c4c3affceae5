import {
  type Changelog,
  type ChangelogVersion,
  NO_CHANGES,
  SECTION_NAMES,
  SECTIONS,
  summarise,
} from "../../changelog/index.js";
import { type ChangesPage, createChangesPage } from "./changes-page.js";
import { renderChange } from "./render-change.js";
import { escapeMarkup } from "../../output/markup.js";

/** The history of a contract as a page: of the docs site, or one that stands alone. */
export function createChangelogPage(changelog: Changelog, kind: ChangesPage["kind"]): string {
  const { title, versions, unreadable } = changelog;
  return createChangesPage({
    title: `Changelog of ${title}`,
    introduction: kind === "site" ? '<p><a href="index.html">To the docs</a></p>\n' : "",
    changes: versions.flatMap(({ changes }) => changes),
    body:
      versions.length === 0
        ? `<p>${NO_CHANGES}</p>\n`
        : `${renderContents(versions)}${versions.map(renderVersion).join("")}`,
    footer: unreadable
      .map(({ revision, reason }) => `<p>${escapeMarkup(`${revision} is left out: ${reason}`)}</p>\n`)
      .join(""),
    kind,
  });
}

function renderContents(versions: readonly ChangelogVersion[]): string {
  if (versions.length < 2) return "";
  const links = versions.map(({ version }, index) => {
    return `<li><a href="#version-${index}">${escapeMarkup(version)}</a></li>\n`;
  });
  return `<nav aria-label="Versions">
<details>
<summary>Versions</summary>
<ul>
${links.join("")}</ul>
</details>
</nav>
`;
}

function renderVersion(version: ChangelogVersion, index: number): string {
  const { date, changes } = version;
  const sections = SECTIONS.map((section) => {
    const own = changes.filter((change) => change.section === section);
    if (own.length === 0) return "";
    return `<section data-group>
<h3>${SECTION_NAMES[section]}</h3>
<ul class="changes" role="list">
${own.map((change) => renderChange(change, { heading: 4, operations: true })).join("")}</ul>
</section>
`;
  });
  const day =
    date === undefined
      ? ""
      : ` <time class="note" datetime="${escapeMarkup(date)}">${escapeMarkup(date)}</time>`;
  return `<section id="version-${index}" data-group aria-labelledby="name-${index}">
<h2 id="name-${index}">${escapeMarkup(version.version)}${day}</h2>
<p class="note">${escapeMarkup(summarise(version))}</p>
${sections.join("")}</section>
`;
}
