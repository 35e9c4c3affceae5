import type { Change } from "../change.js";
import type { Answer, ChangeImpact, CodePlace, Impact, OperationImpact } from "../impact.js";
import type { Verdict } from "../judge.js";

/** What of a client's code is named; the JSON has all. */
const MOST_BREAKS = 3;

/** Characters of what the compiler says that are shown; types can be pages long. */
const MOST_TEXT = 200;

/** What a change means to clients, in a sentence; undefined where there is nothing to say. */
export function showClients(
  { level }: Pick<Change, "level">,
  impact: ChangeImpact | undefined,
): string | undefined {
  const clients = impact?.clients;
  if (clients === undefined) return undefined;
  if (clients.length > 0) {
    const told = clients.slice(0, MOST_BREAKS).map(({ at, message }) => `${at} ${message}`);
    const rest = clients.length - told.length;
    return `Clients may not compile: ${told.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`;
  }
  // Nobody expects that what is safe has to be mended.
  return level === "safe" ? undefined : "Clients compile all the same: nothing tells them but the service.";
}

/** `TS2322  Type 'string' is not …`, of a length that can be read. */
export function showProblem({ code, message }: CodePlace): string {
  return `${code}  ${message.length <= MOST_TEXT ? message : `${message.slice(0, MOST_TEXT - 1)}…`}`;
}

/** `src/handlers/pets.ts:21:7`. */
export function showPlace({ file, line, column }: CodePlace): string {
  return `${file}:${line}:${column}`;
}

/** A place, and what it belongs to: operations, or nothing. */
export interface OwnedPlace {
  readonly place: CodePlace;
  readonly owners: readonly string[];
}

/** Every place once: what combines handlers may lack several of them. */
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

/** Operations that mean something to code although no change is told of them: other names of path parameters are none. */
export function findSilent({ impact, changes }: Verdict): readonly OperationImpact[] {
  const told = new Set(changes.map(({ operation }) => operation));
  return (impact?.operations ?? []).filter(
    ({ operation, clients = [], places }) => !told.has(operation) && clients.length + places.length > 0,
  );
}

/** What the changes mean to all of the code, in sentences. */
export function showImpact(impact: Impact): readonly string[] {
  const { clients, code, operations } = impact;
  if (!clients.asked && !code.asked) return [`The compiler was not asked: ${toClause(clients)}.`];
  const places = listPlaces(impact).length;
  const missing = operations.filter(({ handlerMissing }) => handlerMissing).length;
  return [
    clients.asked ? showBroken(operations) : `Clients were not looked at: ${toClause(clients)}.`,
    ...(code.asked ? [showPlaces(places)] : []),
    ...(missing === 0 ? [] : [`${count(missing, "handler")} ${missing === 1 ? "is" : "are"} missing.`]),
    ...(code.note === undefined
      ? []
      : [`${code.asked ? "Note" : "The code here was not looked at"}: ${toClause(code)}.`]),
  ];
}

/** A note ends as the compiler's message in it does, with a full stop or without. */
function toClause({ note = "" }: Answer): string {
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
