import type { Diff } from "../diff-contracts.js";
import type { ChangeGroup } from "../group-changes.js";
import { findSilent, showClients, showPlace, showProblem } from "./impact-words.js";

/** Places listed for one change; the JSON output has all. */
const MAX_PLACES = 20;

/** Describes the impact of a change on code, in lines; empty when the compiler was not asked. */
export function toNotes({ change, impact }: ChangeGroup): readonly string[] {
  if (impact === undefined || change.ignored !== undefined) return [];
  const clients = showClients(change, impact);
  const rest = impact.places.length - MAX_PLACES;
  return [
    ...(clients === undefined ? [] : [clients]),
    ...(impact.handlerMissing ? ["It has no handler yet."] : []),
    ...impact.places.slice(0, MAX_PLACES).map((place) => `${showPlace(place)}  ${showProblem(place)}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

/** Describes the impact that belongs to no reported change. */
export function toOtherNotes(diff: Diff): readonly string[] {
  const silent = findSilent(diff).flatMap(({ operation = "the contract", clients = [], places }) => {
    const clientNote = showClients({ level: "safe" }, { clients, places });
    return [
      ...(clientNote === undefined ? [] : [`${operation}: ${clientNote}`]),
      ...places.map((place) => `${operation}: ${showPlace(place)}  ${showProblem(place)}`),
    ];
  });
  const { elsewhere = [] } = diff.impact ?? {};
  return [...silent, ...elsewhere.map((place) => `${showPlace(place)}  ${showProblem(place)}`)];
}
