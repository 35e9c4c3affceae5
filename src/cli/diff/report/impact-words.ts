import type { Change } from "../change.js";
import type { ChangeImpact, CodePlace, CompilerCheck, Impact, OperationImpact } from "../../impact/index.js";
import type { Diff } from "../diff-contracts.js";

/** Client breaks in one sentence; the JSON output has all. */
const MAX_BREAKS = 3;

/** Characters of a compiler message; types can be pages long. */
const MAX_TEXT = 200;

/** Describes the effect of a change on clients in a sentence; undefined if it is obvious. */
export function showClients(
  { level }: Pick<Change, "level">,
  impact: ChangeImpact | undefined,
): string | undefined {
  const clients = impact?.clients;
  if (clients === undefined) return undefined;
  if (clients.length > 0) {
    const shown = clients.slice(0, MAX_BREAKS).map(({ at, message }) => `${at} ${message}`);
    const rest = clients.length - shown.length;
    return `Clients may not compile: ${shown.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`;
  }
  // Safe changes need no such note.
  return level === "safe" ? undefined : "Clients still compile; the break only shows at run time.";
}

/** `TS2322  Type 'string' is not …`, cut to a readable length. */
export function showProblem({ code, message }: CodePlace): string {
  return `${code}  ${message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT - 1)}…`}`;
}

/** `src/handlers/pets.ts:21:7`. */
export function showPlace({ file, line, column }: CodePlace): string {
  return `${file}:${line}:${column}`;
}

/** A place in code and its operations, if any. */
export interface OwnedPlace {
  readonly place: CodePlace;
  readonly owners: readonly string[];
}

/** Lists every place once; a place can belong to several operations. */
export function listPlaces({ operations, elsewhere }: Impact): readonly OwnedPlace[] {
  const found = new Map<string, { readonly place: CodePlace; readonly owners: string[] }>();
  const add = (place: CodePlace, owners: readonly string[]) => {
    const key = JSON.stringify(place);
    const known = found.get(key) ?? { place, owners: [] };
    found.set(key, known);
    known.owners.push(...owners);
  };
  for (const { operation, places } of operations)
    for (const place of places) add(place, operation === undefined ? [] : [operation]);
  for (const place of elsewhere) add(place, []);
  return [...found.values()];
}

/** Operations that affect code although they have no change, because a renamed path parameter is not a change. */
export function findSilent({ impact, changes }: Diff): readonly OperationImpact[] {
  const reported = new Set(changes.map(({ operation }) => operation));
  return (impact?.operations ?? []).filter(
    ({ operation, clients = [], places }) => !reported.has(operation) && clients.length + places.length > 0,
  );
}

/** Summarizes the impact on all code in sentences. */
export function showImpact(impact: Impact): readonly string[] {
  const { clients, code, operations } = impact;
  if (!clients.asked && !code.asked) return [`The compiler was not asked: ${toClause(clients)}.`];
  const places = listPlaces(impact).length;
  const missing = operations.filter(({ handlerMissing }) => handlerMissing).length;
  return [
    clients.asked ? showBroken(operations) : `Clients were not checked: ${toClause(clients)}.`,
    ...(code.asked ? [showPlaces(places)] : []),
    ...(missing === 0 ? [] : [`${count(missing, "handler")} ${missing === 1 ? "is" : "are"} missing.`]),
    ...(code.note === undefined
      ? []
      : [`${code.asked ? "Note" : "The code here was not checked"}: ${toClause(code)}.`]),
  ];
}

/** Notes may end with a compiler message and its full stop. */
function toClause({ note = "" }: CompilerCheck): string {
  return note.replace(/\.$/, "");
}

function showBroken(operations: readonly OperationImpact[]): string {
  const broken = operations.filter(({ clients = [] }) => clients.length > 0);
  const named = broken.filter(({ operation }) => operation !== undefined).length;
  if (named > 0) return `Clients of ${count(named, "operation")} may not compile.`;
  return broken.length > 0 ? "Clients may not compile." : "Clients compile.";
}

function showPlaces(places: number): string {
  if (places === 0) return "The code here compiles.";
  return `${count(places, "place")} of the code here ${places === 1 ? "does" : "do"} not compile.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
