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
} from "../../changelog/index.js";
import { UsageError } from "../../output/context.js";
import { escapeMarkup } from "../../output/markup.js";
import { ReadError } from "../../output/write-files.js";
import { type DocsFile, toBrowserScript, toPage, toStyleSheet } from "../assets/docs-file.js";
import {
  CHANGES_SCRIPT,
  CHANGES_STYLE_SHEET,
  type ChangesPage,
  createChangesPage,
  renderChanges,
  renderContents,
} from "./changes-page.js";

/** Creates the page of a contract's history: of the docs site, or one that stands alone. */
export function createChangelogPage(changelog: Changelog, kind: ChangesPage["kind"]): string {
  const { title, versions, unreadable } = changelog;
  return createChangesPage({
    title: `Changelog of ${title}`,
    introduction: kind === "site" ? '<p><a href="index.html">To the docs</a></p>\n' : "",
    changes: versions.flatMap(({ changes }) => changes),
    body:
      versions.length === 0
        ? `<p>${NO_CHANGES}</p>\n`
        : `${renderContents("Versions", versions.map(renderLink))}${versions.map(renderVersion).join("")}`,
    footer: unreadable
      .map(({ revision, reason }) => `<p>${escapeMarkup(`${revision} is left out: ${reason}`)}</p>\n`)
      .join(""),
    kind,
  });
}

function renderLink({ version }: ChangelogVersion, index: number): string {
  return `<a href="#version-${index}">${escapeMarkup(version)}</a>`;
}

function renderVersion(version: ChangelogVersion, index: number): string {
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
  return `<section id="version-${index}" data-group aria-labelledby="name-${index}">
<h2 id="name-${index}">${escapeMarkup(version.version)}${day}</h2>
<p class="note">${escapeMarkup(summarise(version))}</p>
${sections.join("")}</section>
`;
}

const PAGE = "changelog.html";

/** Creates the files that a contract's history adds to its docs site. */
export function createChangelogFiles(changelog: Changelog): readonly DocsFile[] {
  return [
    toPage(PAGE, createChangelogPage(changelog, "site")),
    toStyleSheet(CHANGES_STYLE_SHEET, "changes"),
    toBrowserScript(CHANGES_SCRIPT, "changes"),
    { name: CHANGELOG_FILE, mediaType: "application/json", text: `${JSON.stringify(changelog, null, 2)}\n` },
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
