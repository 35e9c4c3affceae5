import type { Verdict } from "../diff/judge.js";
import { type ChangeGroup, groupChanges, showOperations } from "../diff/report/group.js";
import { findSilent, showClients, showImpact, showPlace } from "../diff/report/impact-words.js";
import { showCounts } from "../diff/report/summary.js";
import { toPlain } from "../diff/report/text.js";

/** Changes that are told one by one; `tenon diff` tells all. */
const MOST_CHANGES = 10;

/** Places of a change that are told; the type check has told all. */
const MOST_PLACES = 5;

/**
 * What a save of a contract means, in short lines: changes that are not safe, or that code has to follow. Empty when nothing is
 * different but texts.
 */
export function toImpactLines(verdict: Verdict): readonly string[] {
  const { changes, impact } = verdict;
  if (impact === undefined || changes.every(({ code }) => code === "texts-changed")) return [];
  const groups = groupChanges(changes.filter(({ ignored }) => ignored === undefined)).filter(isWorthTelling);
  const rest = groups.length - MOST_CHANGES;
  return [
    `since the last good contract: ${showCounts(verdict)}`,
    ...groups.slice(0, MOST_CHANGES).flatMap(toLines),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...findSilent(verdict).flatMap((found) => {
      const clients = showClients({ level: "safe" }, found);
      return clients === undefined ? [] : [`  ${found.operation ?? "the contract"}  ${clients}`];
    }),
    ...impact.elsewhere.slice(0, MOST_PLACES).map((place) => `  code of no operation: ${showPlace(place)}`),
    showImpact(impact).join(" "),
  ].map(toPlain);
}

function isWorthTelling({ change, impact }: ChangeGroup): boolean {
  if (change.level !== "safe" || impact?.handlerMissing) return true;
  return (impact?.clients ?? []).length > 0 || (impact?.places ?? []).length > 0;
}

function toLines({ change, operations, impact }: ChangeGroup): readonly string[] {
  const clients = showClients(change, impact);
  const places = impact?.places ?? [];
  const rest = places.length - MOST_PLACES;
  const shown = [...places.slice(0, MOST_PLACES).map(showPlace), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return [
    `  ${change.level}  ${showOperations(operations)}  ${change.message}`,
    ...(clients === undefined ? [] : [`    ${clients}`]),
    ...(impact?.handlerMissing ? ["    It has no handler yet."] : []),
    ...(shown.length === 0 ? [] : [`    Code: ${shown.join(", ")}`]),
  ];
}
