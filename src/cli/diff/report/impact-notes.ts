import type { Verdict } from "../judge.js";
import type { ChangeGroup } from "./group.js";
import { findSilent, showClients, showPlace, showProblem } from "./impact-words.js";

/** Places of one change that are told; the JSON has all. */
const MOST_PLACES = 20;

/** What a change means to code, in lines; none where the compiler was not asked. */
export function toNotes({ change, impact }: ChangeGroup): readonly string[] {
  if (impact === undefined || change.ignored !== undefined) return [];
  const clients = showClients(change, impact);
  const rest = impact.places.length - MOST_PLACES;
  return [
    ...(clients === undefined ? [] : [clients]),
    ...(impact.handlerMissing ? ["It has no handler yet."] : []),
    ...impact.places.slice(0, MOST_PLACES).map((place) => `${showPlace(place)}  ${showProblem(place)}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

/** The same of what belongs to no change that is told. */
export function toOtherNotes(verdict: Verdict): readonly string[] {
  const silent = findSilent(verdict).flatMap(({ operation = "the contract", clients = [], places }) => {
    const told = showClients({ level: "safe" }, { clients, places });
    return [
      ...(told === undefined ? [] : [`${operation}: ${told}`]),
      ...places.map((place) => `${operation}: ${showPlace(place)}  ${showProblem(place)}`),
    ];
  });
  const { elsewhere = [] } = verdict.impact ?? {};
  return [...silent, ...elsewhere.map((place) => `${showPlace(place)}  ${showProblem(place)}`)];
}
