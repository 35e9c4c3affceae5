import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Changelog,
  CHANGELOG_FILE,
  type ChangelogVersion,
  NO_CHANGES,
  SECTION_NAMES,
  SECTIONS,
  summarise,
  toMarkdown,
} from "../../changelog/index.js";
import { UsageError } from "../../output/context.js";
import { escapeMarkup } from "../../output/markup.js";
import { ReadError } from "../../output/write-files.js";
import { loadStyle } from "../assets/assets.js";
import { type DocsFile, toBrowserScript, toFile } from "../assets/docs-file.js";
import type { Guide } from "../guides/guides.js";
import { Html, html } from "../render/html.js";
import { CHANGES, createChangesPage, renderChanges, renderContents, renderFilter } from "./changes-page.js";

/** Creates the page of a contract's history that stands alone. */
export function createChangelogPage(changelog: Changelog): string {
  const contents = changelog.versions.map(
    ({ version }, index) => `<a href="#version-${index}">${escapeMarkup(version)}</a>`,
  );
  return createChangesPage({
    title: toTitle(changelog),
    introduction: "",
    changes: listChanges(changelog),
    body: renderContents("Versions", contents) + renderVersions(changelog, ""),
    footer: renderUnreadable(changelog),
  });
}

/** Creates the page of a contract's history within its docs site: a guide that is not the author's. */
export function createChangelogGuide(changelog: Changelog): Guide {
  const id = "guide/changelog";
  const body = renderFilter(listChanges(changelog)) + renderVersions(changelog, `${id}/`);
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
      ${new Html(body + renderUnreadable(changelog))}
    </section> `,
  };
}

function toTitle({ title }: Changelog): string {
  return `Changelog of ${title}`;
}

function listChanges({ versions }: Changelog) {
  return versions.flatMap(({ changes }) => changes);
}

function renderUnreadable({ unreadable }: Changelog): string {
  return unreadable
    .map(({ revision, reason }) => `<p>${escapeMarkup(`${revision} is left out: ${reason}`)}</p>\n`)
    .join("");
}

/** @param owner Start of the ids of versions. */
function renderVersions({ versions }: Changelog, owner: string): string {
  if (versions.length === 0) return `<p>${NO_CHANGES}</p>\n`;
  return versions.map((version, index) => renderVersion(version, `${owner}version-${index}`)).join("");
}

function renderVersion(version: ChangelogVersion, id: string): string {
  const { date, changes } = version;
  const sections = SECTIONS.map((section) => {
    const own = changes.filter((change) => change.section === section);
    if (own.length === 0) return "";
    return `<section data-group>
<h3>${SECTION_NAMES[section]}</h3>
${renderChanges(own, 4)}</section>
`;
  });
  const day =
    date === undefined
      ? ""
      : ` <time class="note" datetime="${escapeMarkup(date)}">${escapeMarkup(date)}</time>`;
  return `<section id="${id}" data-group aria-labelledby="${id}/name">
<h2 id="${id}/name">${escapeMarkup(version.version)}${day}</h2>
<p class="note">${escapeMarkup(summarise(version))}</p>
${sections.join("")}</section>
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
