import {
  type Changelog,
  type ChangelogChange,
  type ChangelogVersion,
  NO_CHANGES,
  SECTION_NAMES,
  SECTIONS,
  summarise,
} from "./changelog.js";
import { showOperations } from "../diff/index.js";
import { escapeMarkdown } from "../output/markup.js";

/** Formats a changelog as Markdown, newest version first. */
export function toMarkdown({ title, versions, unreadable }: Changelog): string {
  const notes = unreadable.map(({ revision, reason }) => {
    return `${escapeMarkdown(revision)} was skipped: ${escapeMarkdown(reason)}\n`;
  });
  const sections = versions.length === 0 ? [`${NO_CHANGES}\n`] : versions.map(toVersion);
  return [`# Changelog of ${escapeMarkdown(title)}\n`, ...sections, ...notes].join("\n");
}

function toVersion(version: ChangelogVersion): string {
  const { date, changes } = version;
  const heading = `## ${escapeMarkdown(version.version)}${date === undefined ? "" : ` (${date})`}\n`;
  const sections = SECTIONS.flatMap((section) => {
    const own = changes.filter((change) => change.section === section);
    return own.length === 0 ? [] : [`### ${SECTION_NAMES[section]}\n`, own.map(toItem).join("")];
  });
  return [heading, `${escapeMarkdown(summarise(version))}\n`, ...sections].join("\n");
}

/** Shows the level unless the heading does. */
function toItem({ section, level, operations, message, why, ignored }: ChangelogChange): string {
  const whose = `**${escapeMarkdown(showOperations(operations))}**`;
  const isInHeading = section === level || level === "safe";
  const weight = ignored === undefined ? level : "ignored";
  const mark = isInHeading && ignored === undefined ? "" : ` (${weight})`;
  return `- ${whose}${mark}: ${escapeMarkdown(message)}. ${escapeMarkdown(ignored ?? why)}\n`;
}
