import type { ChangeImpact, CodePlace, Impact, OperationImpact } from "../../impact/index.js";
import type { Change, Level } from "../change.js";
import type { Diff } from "../diff-contracts.js";
import type { ChangeGroup } from "../group-changes.js";

/** Client breaks in one sentence; the JSON output has all. */
const MAX_BREAKS = 3;

/** Characters of a compiler message; types can be pages long. */
const MAX_TEXT = 200;

/** Places listed for one change; the JSON output has all. */
const MAX_PLACES = 20;

/** Describes the effect of a change on clients in one sentence; empty if it is obvious. */
export function showClients(
  level: Level,
  impact: ChangeImpact | undefined,
  code?: string,
): readonly string[] {
  const clients = impact?.clients;
  if (clients === undefined) return [];
  if (clients.length > 0) {
    const breaks = clients.map(({ at, message }) => `${at} ${message}`);
    return [`Clients may not compile: ${takeFirst(breaks, MAX_BREAKS).join("; ")}.`];
  }
  // The generated client calls operations by their paths.
  if (code === "operation-id-changed" || code === "operation-id-removed")
    return ["Calls by path still compile; tests with createTester and handlers use the new name."];
  // Safe changes need no such note.
  return level === "safe" ? [] : ["Clients still compile; the break only shows at run time."];
}

/** Describes the effect of a change on clients and handlers in sentences. */
export function showConsequences(
  { level, code, ignored }: Change,
  impact: ChangeImpact | undefined,
): readonly string[] {
  return [
    ...(ignored === undefined ? showClients(level, impact, code) : []),
    ...(impact?.handlerMissing ? ["It has no handler yet."] : []),
  ];
}

/** Describes the impact of a change on code, in lines; empty when the compiler was not asked. */
export function toNotes({ change, impact }: ChangeGroup): readonly string[] {
  if (impact === undefined || change.ignored !== undefined) return [];
  return [...showConsequences(change, impact), ...takeFirst(impact.places.map(showError), MAX_PLACES)];
}

/** Describes the impact that belongs to no reported change. */
export function toOtherNotes(diff: Diff): readonly string[] {
  const silent = findSilent(diff).flatMap((found) =>
    [...showClients("safe", found), ...found.places.map(showError)].map(
      (note) => `${found.operation ?? "the contract"}: ${note}`,
    ),
  );
  return [...silent, ...(diff.impact?.elsewhere ?? []).map(showError)];
}

/** `src/handlers/pets.ts:21:7  TS2322  Type 'string' is not …`. */
export function showError(place: CodePlace): string {
  return `${showPlace(place)}  ${showProblem(place)}`;
}

/** `src/handlers/pets.ts:21:7`. */
export function showPlace({ file, line, column }: CodePlace): string {
  return `${file}:${line}:${column}`;
}

/** `TS2322  Type 'string' is not …`, cut to a readable length. */
export function showProblem({ code, message }: CodePlace): string {
  return `${code}  ${message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT - 1)}…`}`;
}

/** Shortens a list: the last line counts the lines that are left out. */
export function takeFirst(lines: readonly string[], max: number): readonly string[] {
  const rest = lines.length - max;
  return rest > 0 ? [...lines.slice(0, max), `and ${rest} more`] : lines;
}

/** A place in code and its operations, if any. */
export interface OwnedPlace {
  readonly place: CodePlace;
  readonly owners: readonly string[];
}

/** Lists every place once; a place can belong to several operations. */
export function listPlaces({ operations, elsewhere }: Impact): readonly OwnedPlace[] {
  const found = new Map<string, { readonly place: CodePlace; readonly owners: string[] }>();
  for (const { operation, places } of [...operations, { operation: undefined, places: elsewhere }]) {
    for (const place of places) {
      const key = JSON.stringify(place);
      const known = found.get(key) ?? { place, owners: [] };
      found.set(key, known);
      if (operation !== undefined) known.owners.push(operation);
    }
  }
  return [...found.values()];
}

/** Operations that affect code although they have no change, because a renamed path parameter is not a change. */
export function findSilent({ impact, changes }: Diff): readonly OperationImpact[] {
  const reported = new Set(changes.map(({ operation }) => operation));
  return (impact?.operations ?? []).filter(
    ({ operation, clients = [], places }) => !reported.has(operation) && clients.length + places.length > 0,
  );
}
