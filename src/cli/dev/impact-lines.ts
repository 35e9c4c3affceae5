import { type ChangeGroup, type Diff, groupChanges, showOperations } from "../diff/index.js";
import { findSilent, showClients, showCounts, showImpact, showPlace, toPlain } from "../diff/report/index.js";

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
  const rest = groups.length - MOST_CHANGES;
  return [
    `since the last good contract: ${showCounts(diff)}`,
    ...groups.slice(0, MOST_CHANGES).flatMap(toLines),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...findSilent(diff).flatMap((found) => {
      const clients = showClients({ level: "safe" }, found);
      return clients === undefined ? [] : [`  ${found.operation ?? "the contract"}  ${clients}`];
    }),
    ...impact.elsewhere.slice(0, MOST_PLACES).map((place) => `  code of no operation: ${showPlace(place)}`),
    showImpact(impact).join(" "),
  ].map(toPlain);
}

function isWorthPrinting({ change, impact }: ChangeGroup): boolean {
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
