import type { ChangeImpact } from "../../impact/index.js";
import type { Change, Level } from "../change.js";
import type { Diff } from "../diff-contracts.js";
import { type ChangeGroup, groupChanges, showOperations } from "../group-changes.js";
import {
  findSilent,
  listPlaces,
  type OwnedPlace,
  showClients,
  showConsequences,
  showPlace,
  showProblem,
  takeFirst,
} from "./impact.js";
import { escapeMarkdown } from "../../output/markup.js";
import { showCounts, showImpact, showKinds, showPolicy, showUncompared, showVersion } from "./summary.js";

const HEADINGS: Readonly<Record<Level, string>> = { breaking: "Breaking", risky: "Risky", safe: "Safe" };

/**
 * GitHub rejects comments of more than 65,536 characters; the rest is for a marker by which a workflow finds its comment.
 * Counted in UTF-16 units, which are never fewer.
 */
const MAX_CHARACTERS = 65_000;

/** Maximum length of one text of a contract. */
const MAX_TEXT = 500;

/** Maximum length of the impact section: changes come first. */
const MAX_IMPACT = 20_000;

/** Maximum length of a section without its rows. */
const MAX_FRAME = 200;

/** Maximum numbers of places in code. */
const MAX_IN_CELL = 3;
const MAX_IN_LIST = 50;

const LEFT_OUT =
  "<sub>The comment is too short for all changes; `tenon diff --format html` shows them.</sub>\n";

/**
 * Formats a diff as a comment of a pull request, with safe changes folded. A comment that would be too long is cut, breaking
 * changes last, and says so.
 */
export function toMarkdown(diff: Diff): string {
  const version = showVersion(diff);
  const code = toImpactSection(diff);
  const hasRoom = code.join("\n").length <= MAX_IMPACT;
  const head = [
    `## API changes: ${showCounts(diff)}\n`,
    ...(version === undefined ? [] : [`${toText(version)}\n`]),
    // The first part is the summary.
    ...(hasRoom ? code : code.slice(0, 1)),
  ];
  const foot = [
    ...toUncomparedSection(diff),
    `<sub>${toText(showPolicy(diff))}. ${toText(showKinds(diff))}</sub>\n`,
  ].join("\n");

  const groups = groupChanges(diff.changes);
  const sections = (["breaking", "risky", "safe"] as const).map((level) => ({
    heading: HEADINGS[level],
    isFolded: level === "safe",
    groups: groups.filter(({ change }) => change.level === level && change.ignored === undefined),
  }));
  const ignored = groups.filter(({ change }) => change.ignored !== undefined);
  const filled = [...sections, { heading: "Ignored", isFolded: true, groups: ignored }].filter(
    (section) => section.groups.length > 0,
  );
  let room = MAX_CHARACTERS - [...head, LEFT_OUT, foot].join("\n").length - filled.length * MAX_FRAME;
  let missing = 0;
  const parts = filled.map((section) => {
    const rows = takeRows(section.groups, room);
    room -= rows.join("\n").length;
    missing += section.groups.length - rows.length;
    return toSection(section, rows);
  });
  return [...head, ...parts, ...(missing > 0 || !hasRoom ? [LEFT_OUT] : []), foot].join("\n");
}

/** Formats as many rows as there is room for, in characters. */
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
    `${toText(message)}<br>${toText(ignored ?? why)}${toImpactLines(change, impact)}`,
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
  const rest = text.length - MAX_TEXT;
  return escapeMarkdown(
    rest <= 0 ? text : `${text.slice(0, MAX_TEXT)}… and ${rest} more characters`.toWellFormed(),
  );
}

/** Formats the impact of a change, in its cell of the table. */
function toImpactLines(change: Change, impact: ChangeImpact | undefined): string {
  if (impact === undefined || change.ignored !== undefined) return "";
  const places = impact.places.map((place) => `Code: ${escapeMarkdown(showPlace(place))}`);
  const lines = [...showConsequences(change, impact).map(escapeMarkdown), ...takeFirst(places, MAX_IN_CELL)];
  return lines.map((line) => `<br>${line}`).join("");
}

/** Formats the whole impact: a summary, and a folded list of places. */
function toImpactSection(diff: Diff): readonly string[] {
  const { impact } = diff;
  if (impact === undefined) return [];
  const summary = `${escapeMarkdown(showImpact(impact))}\n`;
  // The clients of operations without a change.
  const clients = findSilent(diff).flatMap((found) =>
    showClients("safe", found).map((text) => `${found.operation ?? "the contract"}: ${text}`),
  );
  const rows = [...clients.map(escapeMarkdown), ...listPlaces(impact).map(toPlaceRow)];
  if (rows.length === 0) return [summary];
  const list = takeFirst(rows, MAX_IN_LIST)
    .map((row) => `- ${row}`)
    .join("\n");
  return [summary, `<details><summary>Code (${rows.length})</summary>\n\n${list}\n\n</details>\n`];
}

/** Formats a folded list of the parts that are not compared. */
function toUncomparedSection(diff: Diff): readonly string[] {
  const { length } = diff.notCompared;
  if (length === 0) return [];
  const list = takeFirst(showUncompared(diff).map(toText), MAX_IN_LIST).map((row) => `- ${row}`);
  const summary = `<summary>Different, but not compared (${length})</summary>`;
  return [`<details>${summary}\n\n${list.join("\n")}\n\n</details>\n`];
}

function toPlaceRow({ place, owners }: OwnedPlace): string {
  const owner = owners.length === 0 ? "other code" : showOperations(owners);
  return `${escapeMarkdown(showPlace(place))} (${escapeMarkdown(owner)}): ${escapeMarkdown(showProblem(place))}`;
}
