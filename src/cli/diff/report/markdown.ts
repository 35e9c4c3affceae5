import type { Level } from "../change.js";
import type { Verdict } from "../judge.js";
import { type ChangeGroup, groupChanges, showOperations } from "./group.js";
import { toImpactCell, toImpactSection } from "./impact-markdown.js";
import { escape } from "./markdown-text.js";
import { showCounts, showVersion } from "./summary.js";

const HEADINGS: Readonly<Record<Level, string>> = { breaking: "Breaking", risky: "Risky", safe: "Safe" };

/**
 * GitHub refuses a comment of more than 65,536 characters; what is left is for a mark by which a workflow finds its comment again.
 * Counted in UTF-16 units, which are never fewer.
 */
export const MOST_CHARACTERS = 65_000;

/** One text of a contract takes no more of it. */
const MOST_OF_A_TEXT = 500;

/** What it means to code takes no more: the changes come first. */
const MOST_OF_CODE = 20_000;

/** What is around the rows of a section takes no more. */
const FRAME = 200;

const LEFT_OUT =
  "<sub>A comment has no room for all of them; `tenon diff` with `--format html` shows them.</sub>\n";

/**
 * Formats a verdict as a comment of a pull request; what is safe is folded away. It is cut where a comment would be too long, what
 * is breaking last, and says so.
 */
export function toMarkdown(verdict: Verdict): string {
  const version = showVersion(verdict);
  const code = toImpactSection(verdict);
  const hasRoom = code.join("\n").length <= MOST_OF_CODE;
  const head = [
    `## API changes: ${showCounts(verdict)}\n`,
    ...(version === undefined ? [] : [`${toText(version)}\n`]),
    // Its first part is a summary.
    ...(hasRoom ? code : code.slice(0, 1)),
  ];
  const foot = `<sub>Not judged: ${toText(verdict.notJudged.join("; "))}.</sub>\n`;

  const groups = groupChanges(verdict.changes);
  const sections = (["breaking", "risky", "safe"] as const).map((level) => ({
    heading: HEADINGS[level],
    isFolded: level === "safe",
    groups: groups.filter(({ change }) => change.level === level && change.ignored === undefined),
  }));
  const ignored = groups.filter(({ change }) => change.ignored !== undefined);
  const filled = [...sections, { heading: "Ignored", isFolded: true, groups: ignored }].filter(
    (section) => section.groups.length > 0,
  );
  let room = MOST_CHARACTERS - [...head, LEFT_OUT, foot].join("\n").length - filled.length * FRAME;
  let missing = 0;
  const parts = filled.map((section) => {
    const rows = takeRows(section.groups, room);
    room -= rows.join("\n").length;
    missing += section.groups.length - rows.length;
    return toSection(section, rows);
  });
  return [...head, ...parts, ...(missing > 0 || !hasRoom ? [LEFT_OUT] : []), foot].join("\n");
}

/** As many rows as there is room for, in characters. */
function takeRows(groups: readonly ChangeGroup[], room: number): readonly string[] {
  const rows: string[] = [];
  let left = room;
  for (const group of groups) {
    const row = toRow(group);
    left -= row.length + 1;
    if (left < 0) break;
    rows.push(row);
  }
  return rows;
}

function toRow({ change, operations, impact }: ChangeGroup): string {
  const { code, message, why, file, line, ignored } = change;
  const cells = [
    toText(showOperations(operations)),
    `${toText(message)}<br>${toText(ignored ?? why)}${toImpactCell(change, impact)}`,
    `\`${code}\``,
    toText(`${file}:${line}`),
  ];
  return `| ${cells.join(" | ")} |`;
}

interface Section {
  readonly heading: string;
  readonly isFolded: boolean;
  readonly groups: readonly ChangeGroup[];
}

function toSection({ heading, isFolded, groups }: Section, rows: readonly string[]): string {
  const rest = groups.length - rows.length;
  const table = ["| Operation | Change | Code | Place |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const whole = rows.length === 0 ? `${rest} changes` : rest === 0 ? table : `${table}\n\nand ${rest} more`;
  if (!isFolded) return `### ${heading}\n\n${whole}\n`;
  return `<details><summary>${heading} (${groups.length})</summary>\n\n${whole}\n\n</details>\n`;
}

function toText(text: string): string {
  const rest = text.length - MOST_OF_A_TEXT;
  return escape(
    rest <= 0 ? text : `${text.slice(0, MOST_OF_A_TEXT)}… and ${rest} more characters`.toWellFormed(),
  );
}
