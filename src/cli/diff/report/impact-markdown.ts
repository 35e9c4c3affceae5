import type { Change } from "../change.js";
import type { ChangeImpact, OperationImpact } from "../impact.js";
import type { Verdict } from "../judge.js";
import { showOperations } from "./group.js";
import {
  findSilent,
  listPlaces,
  type OwnedPlace,
  showClients,
  showImpact,
  showPlace,
  showProblem,
} from "./impact-words.js";
import { escape } from "./markdown-text.js";

/** Places of one change, and of the whole list: hosts refuse a comment that is too long. */
const MOST_IN_CELL = 3;
const MOST_IN_LIST = 50;

/** What follows a change in its cell of the table. */
export function toImpactCell(change: Change, impact: ChangeImpact | undefined): string {
  if (impact === undefined || change.ignored !== undefined) return "";
  const clients = showClients(change, impact);
  const { places } = impact;
  const rest = places.length - MOST_IN_CELL;
  return [
    ...(clients === undefined ? [] : [escape(clients)]),
    ...(impact.handlerMissing ? ["It has no handler yet."] : []),
    ...places.slice(0, MOST_IN_CELL).map((place) => `Code: ${escape(showPlace(place))}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
    .map((line) => `<br>${line}`)
    .join("");
}

/** What the changes mean to code as a whole: a line, and every place folded away. */
export function toImpactSection(verdict: Verdict): readonly string[] {
  const { impact } = verdict;
  if (impact === undefined) return [];
  const summary = `${escape(showImpact(impact).join(" "))}\n`;
  const rows = [...findSilent(verdict).flatMap(toClientRow), ...listPlaces(impact).map(toRow)];
  if (rows.length === 0) return [summary];
  const rest = rows.length - MOST_IN_LIST;
  const list = [...rows.slice(0, MOST_IN_LIST), ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
  return [summary, `<details><summary>Code (${rows.length})</summary>\n\n${list}\n\n</details>\n`];
}

/** Of an operation that no row of the tables tells of. */
function toClientRow(found: OperationImpact): readonly string[] {
  const clients = showClients({ level: "safe" }, found);
  return clients === undefined ? [] : [`- ${escape(found.operation ?? "the contract")}: ${escape(clients)}`];
}

function toRow({ place, owners }: OwnedPlace): string {
  const owner = owners.length === 0 ? "no operation" : showOperations(owners);
  return `- ${escape(showPlace(place))} (${escape(owner)}): ${escape(showProblem(place))}`;
}
