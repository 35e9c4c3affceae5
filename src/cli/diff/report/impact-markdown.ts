import type { Change } from "../change.js";
import type { ChangeImpact, OperationImpact } from "../../impact/index.js";
import type { Diff } from "../diff-contracts.js";
import { showOperations } from "../group-changes.js";
import {
  findSilent,
  listPlaces,
  type OwnedPlace,
  showClients,
  showImpact,
  showPlace,
  showProblem,
} from "./impact-words.js";
import { escapeMarkdown } from "../../output/markup.js";

/** Maximum numbers of places: hosts reject a comment that is too long. */
const MAX_IN_CELL = 3;
const MAX_IN_LIST = 50;

/** Formats the impact of a change, in its cell of the table. */
export function toImpactCell(change: Change, impact: ChangeImpact | undefined): string {
  if (impact === undefined || change.ignored !== undefined) return "";
  const clients = showClients(change, impact);
  const { places } = impact;
  const rest = places.length - MAX_IN_CELL;
  return [
    ...(clients === undefined ? [] : [escapeMarkdown(clients)]),
    ...(impact.handlerMissing ? ["It has no handler yet."] : []),
    ...places.slice(0, MAX_IN_CELL).map((place) => `Code: ${escapeMarkdown(showPlace(place))}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
    .map((line) => `<br>${line}`)
    .join("");
}

/** Formats the whole impact: a summary, and a folded list of places. */
export function toImpactSection(diff: Diff): readonly string[] {
  const { impact } = diff;
  if (impact === undefined) return [];
  const summary = `${escapeMarkdown(showImpact(impact).join(" "))}\n`;
  const rows = [...findSilent(diff).flatMap(toClientRow), ...listPlaces(impact).map(toRow)];
  if (rows.length === 0) return [summary];
  const rest = rows.length - MAX_IN_LIST;
  const list = [...rows.slice(0, MAX_IN_LIST), ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
  return [summary, `<details><summary>Code (${rows.length})</summary>\n\n${list}\n\n</details>\n`];
}

/** The clients of an operation without a change. */
function toClientRow(found: OperationImpact): readonly string[] {
  const clients = showClients({ level: "safe" }, found);
  return clients === undefined
    ? []
    : [`- ${escapeMarkdown(found.operation ?? "the contract")}: ${escapeMarkdown(clients)}`];
}

function toRow({ place, owners }: OwnedPlace): string {
  const owner = owners.length === 0 ? "no operation" : showOperations(owners);
  return `- ${escapeMarkdown(showPlace(place))} (${escapeMarkdown(owner)}): ${escapeMarkdown(showProblem(place))}`;
}
