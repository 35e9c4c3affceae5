import { type ChangeGroup, type Diff, groupChanges, showOperations } from "../diff/index.js";
import {
  findSilent,
  showClients,
  showConsequences,
  showCounts,
  showImpact,
  showPlace,
  takeFirst,
  toPlain,
} from "../diff/report/index.js";

/** Maximum number of changes that are printed; `tenon diff` prints all. */
const MOST_CHANGES = 10;

/** Maximum number of places that are printed for a change; the type check has printed all. */
const MOST_PLACES = 5;

/**
 * Describes the effect of a saved contract in short lines: changes that are not safe or that affect code. Empty when only texts
 * changed.
 */
export function toImpactLines(diff: Diff): readonly string[] {
  const { changes, impact } = diff;
  if (impact === undefined || changes.every(({ code }) => code === "texts-changed")) return [];
  const groups = groupChanges(changes.filter(({ ignored }) => ignored === undefined)).filter(isWorthPrinting);
  return [
    `since the last good contract: ${showCounts(diff)}`,
    ...groups.slice(0, MOST_CHANGES).flatMap(toLines),
    ...(groups.length > MOST_CHANGES ? [`  and ${groups.length - MOST_CHANGES} more`] : []),
    ...findSilent(diff).flatMap((found) =>
      showClients("safe", found).map((text) => `  ${found.operation ?? "the contract"}  ${text}`),
    ),
    ...impact.elsewhere.slice(0, MOST_PLACES).map((place) => `  code of no operation: ${showPlace(place)}`),
    showImpact(impact),
  ].map(toPlain);
}

function isWorthPrinting({ change, impact }: ChangeGroup): boolean {
  if (change.level !== "safe" || impact?.handlerMissing) return true;
  return (impact?.clients ?? []).length > 0 || (impact?.places ?? []).length > 0;
}

function toLines({ change, operations, impact }: ChangeGroup): readonly string[] {
  const shown = takeFirst((impact?.places ?? []).map(showPlace), MOST_PLACES);
  return [
    `  ${change.level}  ${showOperations(operations)}  ${change.message}`,
    ...showConsequences(change, impact).map((text) => `    ${text}`),
    ...(shown.length === 0 ? [] : [`    Code: ${shown.join(", ")}`]),
  ];
}
