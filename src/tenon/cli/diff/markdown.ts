import type { Level } from "../../diff/change.js";
import type { Verdict } from "../../diff/judge.js";
import { type ChangeGroup, groupChanges, showOperations } from "./group.js";
import { toImpactCell, toImpactSection } from "./impact-markdown.js";
import { escape } from "./markdown-text.js";
import { showCounts, showVersion } from "./summary.js";

const HEADINGS: Readonly<Record<Level, string>> = { breaking: "Breaking", risky: "Risky", safe: "Safe" };

/** Rows of a table, at most: hosts refuse a comment that is too long. */
const MOST_ROWS = 200;

/** Formats a verdict as a comment of a pull request; what is safe is folded away. */
export function toMarkdown(verdict: Verdict): string {
  const groups = groupChanges(verdict.changes);
  const parts = (["breaking", "risky", "safe"] as const).map((level) => {
    const own = groups.filter(({ change }) => change.level === level && change.ignored === undefined);
    return own.length === 0 ? "" : toSection(HEADINGS[level], own, level === "safe");
  });
  const ignored = groups.filter(({ change }) => change.ignored !== undefined);
  const version = showVersion(verdict);
  return [
    `## API changes: ${showCounts(verdict)}\n`,
    ...(version === undefined ? [] : [`${escape(version)}\n`]),
    ...toImpactSection(verdict),
    ...parts.filter((part) => part !== ""),
    ...(ignored.length === 0 ? [] : [toSection("Ignored", ignored, true)]),
    `<sub>Not judged: ${escape(verdict.notJudged.join("; "))}.</sub>\n`,
  ].join("\n");
}

function toSection(heading: string, groups: readonly ChangeGroup[], isFolded: boolean): string {
  const rows = groups.slice(0, MOST_ROWS).map(({ change, operations, impact }) => {
    const { code, message, why, file, line, ignored } = change;
    const cells = [
      escape(showOperations(operations)),
      `${escape(message)}<br>${escape(ignored ?? why)}${toImpactCell(change, impact)}`,
      `\`${code}\``,
      escape(`${file}:${line}`),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const rest = groups.length - rows.length;
  const table = ["| Operation | Change | Code | Place |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const whole = rest > 0 ? `${table}\n\nand ${rest} more` : table;
  if (!isFolded) return `### ${heading}\n\n${whole}\n`;
  return `<details><summary>${heading} (${groups.length})</summary>\n\n${whole}\n\n</details>\n`;
}
