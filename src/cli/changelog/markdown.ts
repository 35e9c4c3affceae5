import {
  type Changelog,
  type ChangelogChange,
  type ChangelogVersion,
  NOTHING,
  SECTION_NAMES,
  SECTIONS,
  summarise,
} from "./changelog.js";
import { showOperations } from "../diff/report/group.js";
import { escape } from "../diff/report/markdown-text.js";

/** Formats a contract's history as Markdown, newest version first. */
export function toMarkdown({ title, versions, unreadable }: Changelog): string {
  const notes = unreadable.map(({ revision, reason }) => {
    return `${escape(revision)} is left out: ${escape(reason)}\n`;
  });
  const told = versions.length === 0 ? [`${NOTHING}\n`] : versions.map(toVersion);
  return [`# Changelog of ${escape(title)}\n`, ...told, ...notes].join("\n");
}

function toVersion(version: ChangelogVersion): string {
  const { date, changes } = version;
  const heading = `## ${escape(version.version)}${date === undefined ? "" : ` (${date})`}\n`;
  const sections = SECTIONS.flatMap((section) => {
    const own = changes.filter((change) => change.section === section);
    return own.length === 0 ? [] : [`### ${SECTION_NAMES[section]}\n`, own.map(toItem).join("")];
  });
  return [heading, `${escape(summarise(version))}\n`, ...sections].join("\n");
}

/** A level is told where the heading above does not. */
function toItem({ section, level, operations, message, why, ignored }: ChangelogChange): string {
  const whose = `**${escape(showOperations(operations))}**`;
  const isToldAbove = section === level || level === "safe";
  const weight = ignored === undefined ? level : "ignored";
  const mark = isToldAbove && ignored === undefined ? "" : ` (${weight})`;
  return `- ${whose}${mark}: ${escape(message)}. ${escape(ignored ?? why)}\n`;
}
