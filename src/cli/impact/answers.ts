import type ts from "#typescript";
import type { ClientBreak } from "../diff/impact.js";
import type { TypePair } from "./probe.js";
import type { TypeComparison } from "./type-differences.js";
import type { TypeReader } from "./type-reader.js";

/** Statuses that a message names; a range that goes is many. */
const MOST_STATUSES = 3;

const MEMBERS = ["data", "error"] as const;

/** Compares what a call resolves to, status by status. */
export function compareAnswers(
  { before, after }: TypePair,
  reads: TypeComparison,
  reader: TypeReader,
): readonly ClientBreak[] {
  const old = byStatus(before, reader);
  const current = byStatus(after, reader);
  const found: ClientBreak[] = [];
  const tell = (at: string, message: string) => found.push({ direction: "response", at, message });
  const gone = [...old.keys()].filter((status) => !current.has(status));
  if (gone.length > 0) tell("status", `is never ${list(gone)} any more`);
  // Statuses of a range, and errors that are described once, have the same types.
  const seen = new Map<ts.Type, Set<ts.Type>>();
  for (const [status, answer] of old) {
    const now = current.get(status);
    for (const name of MEMBERS) {
      const [body, bodyNow] = [toBody(answer, name), now && toBody(now, name)];
      if (body === undefined || bodyNow === undefined || seen.get(body)?.has(bodyNow)) continue;
      seen.set(body, (seen.get(body) ?? new Set()).add(bodyNow));
      for (const { at, message } of reads.compare(body, bodyNow)) tell(`${status} ${name}${at}`, message);
    }
  }
  // Who asks for no status reads what all errors have in common.
  for (const name of MEMBERS) {
    const known = [...old.values()].flatMap((answer) => toBody(answer, name) ?? []);
    const strange = [...current].filter(([status, answer]) => {
      const body = toBody(answer, name);
      if (old.has(status) || body === undefined || known.length === 0) return false;
      return !known.some((type) => reader.isAssignable(body, type));
    });
    if (strange.length > 0)
      tell(`${list(strange.map(([status]) => status))} ${name}`, `is like no ${name} before`);
  }
  return found;

  /** Type of an answer's data or error; undefined where it is the other one. */
  function toBody(answer: ts.Type, name: (typeof MEMBERS)[number]): ts.Type | undefined {
    const property = answer.getProperty(name);
    return property === undefined || reader.isOptional(property) ? undefined : reader.toType(property);
  }
}

/** In order: the compiler has the parts of a union as it met them. */
function byStatus(answers: ts.Type, reader: TypeReader): ReadonlyMap<string, ts.Type> {
  const found = reader.toParts(answers).objects.flatMap((answer) => {
    const status = answer.getProperty("status");
    if (status === undefined) return [];
    return reader.toParts(reader.toType(status)).all.map((type) => [reader.show([type]), answer] as const);
  });
  return new Map(found.sort(([a], [b]) => Number(a) - Number(b)));
}

/** `404`, `404, 409 and 410`, `400, 401, 402 and 26 more`. */
function list(statuses: readonly string[]): string {
  const rest = statuses.length - MOST_STATUSES;
  if (rest > 1) return `${statuses.slice(0, MOST_STATUSES).join(", ")} and ${rest} more`;
  return [statuses.slice(0, -1).join(", "), ...statuses.slice(-1)]
    .filter((part) => part !== "")
    .join(" and ");
}
