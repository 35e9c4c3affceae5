import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Changelog,
  type ChangelogVersion,
  NO_CHANGES,
  SECTION_NAMES,
  SECTIONS,
  summarise,
  toMarkdown,
} from "../../changelog/index.js";
import { UsageError } from "../../output/context.js";
import { ReadError } from "../../output/write-files.js";
import { CHANGELOG_FILE } from "../../project/index.js";
import { loadStyle } from "../assets/assets.js";
import { type DocsFile, toBrowserScript, toFile } from "../assets/docs-file.js";
import type { Guide } from "../guides/guides.js";
import { type Html, html } from "../render/html.js";
import { CHANGES, createChangesPage, renderChanges, renderContents, renderFilter } from "./changes-page.js";

/** Creates the page of a contract's history that stands alone. */
export function createChangelogPage(changelog: Changelog): string {
  const contents = changelog.versions.map(
    ({ version }, index) => html`<a href="#version-${index}">${version}</a>`,
  );
  return createChangesPage({
    title: toTitle(changelog),
    changes: listChanges(changelog),
    body: html`${renderContents("Versions", contents)}${renderVersions(changelog, "")}`,
    footer: renderUnreadable(changelog),
  });
}

/** Creates the page of a contract's history within its docs site: a guide that is not the author's. */
export function createChangelogGuide(changelog: Changelog): Guide {
  const id = "guide/changelog";
  return {
    ...{ id, name: "changelog", file: "changelog.html", label: "Changelog", links: [] },
    needs: CHANGES,
    source: { path: "changelog.md", text: toMarkdown(changelog) },
    headings: changelog.versions.map(({ version }, index) => ({
      id: `${id}/version-${index}`,
      text: version,
      level: 2,
    })),
    content: html`<section class="part guide" id="${id}">
      <h1>${toTitle(changelog)}</h1>
      ${renderFilter(listChanges(changelog))}${renderVersions(changelog, `${id}/`)}${renderUnreadable(changelog)}
    </section> `,
  };
}

function toTitle({ title }: Changelog): string {
  return `Changelog of ${title}`;
}

function listChanges({ versions }: Changelog) {
  return versions.flatMap(({ changes }) => changes);
}

function renderUnreadable({ unreadable }: Changelog): Html {
  return html`${unreadable.map(({ revision, reason }) => html`<p>${revision} is left out: ${reason}</p>\n`)}`;
}

/** @param owner Start of the ids of versions. */
function renderVersions({ versions }: Changelog, owner: string): Html {
  if (versions.length === 0) return html`<p>${NO_CHANGES}</p>\n`;
  return html`${versions.map((version, index) => renderVersion(version, `${owner}version-${index}`))}`;
}

function renderVersion(version: ChangelogVersion, id: string): Html {
  const { date, changes } = version;
  const sections = SECTIONS.map((section) => {
    const own = changes.filter((change) => change.section === section);
    if (own.length === 0) return undefined;
    return html`<section data-group>
<h3>${SECTION_NAMES[section]}</h3>
${renderChanges(own, 4)}</section>
`;
  });
  return html`<section id="${id}" data-group aria-labelledby="${id}/name">
<h2 id="${id}/name">${version.version}${date !== undefined && html` <time class="note" datetime="${date}">${date}</time>`}</h2>
<p class="note">${summarise(version)}</p>
${sections}</section>
`;
}

/** Creates the files that a contract's history adds to its docs site besides its page. */
export function createChangelogFiles(changelog: Changelog): readonly DocsFile[] {
  return [
    toFile(`${CHANGES}.css`, loadStyle(CHANGES)),
    toBrowserScript(CHANGES),
    toFile(CHANGELOG_FILE, `${JSON.stringify(changelog, null, 2)}\n`),
  ];
}

/**
 * Reads the `changelog.json` beside a generated contract, which `tenon changelog --out` wrote: a deployed service has no git history.
 * @param contractUrl The contract's URL, as `server.ts` exports it, or that of any other file in its folder.
 * @returns undefined when there is no such file.
 * @throws {ReadError | UsageError} when the file is unreadable or not a changelog.
 */
export function readChangelog(contractUrl: URL): Changelog | undefined {
  const path = fileURLToPath(new URL(CHANGELOG_FILE, contractUrl));
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.code === "ENOENT") return undefined;
    throw new ReadError(path, cause);
  }
  const changelog = parse(text);
  if (!Array.isArray(changelog?.versions) || !Array.isArray(changelog.unreadable))
    throw new UsageError(`${path} is not a changelog; write it with "tenon changelog --out"`);
  return changelog;
}

function parse(text: string): Changelog | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as Changelog | undefined;
  } catch {
    return undefined;
  }
}
