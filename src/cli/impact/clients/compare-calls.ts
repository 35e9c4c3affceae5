import type ts from "#typescript";
import type { ClientBreak } from "../impact.js";
import type { TypeComparison } from "./compare-types.js";
import type { TypePair } from "./probe.js";
import type { Difference } from "./recursive-comparison.js";
import type { TypeReader } from "./type-reader.js";

/** Key of the calls without a body. */
const NO_BODY = "";

/** Compares the options of a call: its parameters, and its body by media type. */
export function compareRequests({ before, after }: TypePair, sends: TypeComparison): readonly ClientBreak[] {
  const { reader } = sends;
  const old = byMediaType(before, reader);
  const current = byMediaType(after, reader);
  const [anyOld] = old.values();
  const [anyCurrent] = current.values();
  if (anyOld === undefined || anyCurrent === undefined) return [];
  const found: Difference[] = [...compareMember("params", anyOld, anyCurrent)];
  for (const [mediaType, options] of old) {
    const now = current.get(mediaType);
    if (now !== undefined) {
      if (mediaType !== NO_BODY) found.push(...compareMember("body", options, now));
      if (!isRequired(options, "mediaType", reader) && isRequired(now, "mediaType", reader))
        found.push({ at: "mediaType", message: "is required now" });
    } else if (mediaType === NO_BODY) found.push({ at: "body", message: "is required now" });
    else if ([...current.keys()].every((name) => name === NO_BODY))
      found.push({ at: "body", message: "is no longer accepted" });
    else found.push({ at: "mediaType", message: `no longer accepts ${mediaType}` });
  }
  return found.map((difference) => ({ direction: "request", ...difference }));

  function compareMember(name: string, options: ts.Type, now: ts.Type): readonly Difference[] {
    const [member, memberNow] = [options.getProperty(name), now.getProperty(name)];
    if (member === undefined || memberNow === undefined) return [];
    return sends
      .compare(reader.toType(member), reader.toType(memberNow))
      .map(({ at, message }) => ({ at: `${name}${at}`, message }));
  }
}

/** The alternatives of a call's options by media type, as the compiler writes it. */
function byMediaType(options: ts.Type, reader: TypeReader): ReadonlyMap<string, ts.Type> {
  return new Map(
    reader.toParts(options).objects.map((part) => {
      const mediaType = part.getProperty("mediaType");
      const types = mediaType && reader.toParts(reader.toType(mediaType)).all;
      return [types === undefined ? NO_BODY : reader.show(types), part];
    }),
  );
}

function isRequired(options: ts.Type, name: string, reader: TypeReader): boolean {
  const property = options.getProperty(name);
  return property !== undefined && !reader.isOptional(property);
}

/** Limits the statuses in a message: a removed range is a hundred. */
const MOST_STATUSES = 3;

const MEMBERS = ["data", "error"] as const;

/** Compares the results of a call, status by status. */
export function compareResponses({ before, after }: TypePair, reads: TypeComparison): readonly ClientBreak[] {
  const { reader } = reads;
  const old = byStatus(before, reader);
  const current = byStatus(after, reader);
  const found: ClientBreak[] = [];
  const report = (at: string, message: string) => found.push({ direction: "response", at, message });
  const gone = [...old.keys()].filter((status) => !current.has(status));
  if (gone.length > 0) report("status", `can no longer be ${list(gone)}`);
  // The statuses of a range share their types, and so do responses by reference.
  const seen = new Map<ts.Type, Set<ts.Type>>();
  for (const [status, response] of old) {
    const now = current.get(status);
    for (const name of MEMBERS) {
      const [body, bodyNow] = [toBody(response, name), now && toBody(now, name)];
      if (body === undefined || bodyNow === undefined || seen.get(body)?.has(bodyNow)) continue;
      seen.set(body, (seen.get(body) ?? new Set()).add(bodyNow));
      for (const { at, message } of reads.compare(body, bodyNow)) report(`${status} ${name}${at}`, message);
    }
  }
  // Code that does not check the status reads what all errors have in common.
  for (const name of MEMBERS) {
    const known = [...old.values()].flatMap((response) => toBody(response, name) ?? []);
    const unlike = [...current].filter(([status, response]) => {
      const body = toBody(response, name);
      if (old.has(status) || body === undefined || known.length === 0) return false;
      return !known.some((type) => reader.isAssignable(body, type));
    });
    if (unlike.length > 0)
      report(`${list(unlike.map(([status]) => status))} ${name}`, `differs from every previous ${name}`);
  }
  return found;

  /** The type of a response's data or error; undefined where the response has the other one. */
  function toBody(response: ts.Type, name: (typeof MEMBERS)[number]): ts.Type | undefined {
    const property = response.getProperty(name);
    return property === undefined || reader.isOptional(property) ? undefined : reader.toType(property);
  }
}

/** In the order of the statuses, because the compiler does not keep the order of a union. */
function byStatus(responses: ts.Type, reader: TypeReader): ReadonlyMap<string, ts.Type> {
  const found = reader.toParts(responses).objects.flatMap((response) => {
    const status = response.getProperty("status");
    if (status === undefined) return [];
    return reader.toParts(reader.toType(status)).all.map((type) => [reader.show([type]), response] as const);
  });
  return new Map(found.sort(([a], [b]) => Number(a) - Number(b)));
}

const LIST = new Intl.ListFormat("en-GB");

/** `404`, `404, 409 and 410`, `400, 401, 402 and 26 more`. */
function list(statuses: readonly string[]): string {
  const rest = statuses.length - MOST_STATUSES;
  return LIST.format(rest > 1 ? [...statuses.slice(0, MOST_STATUSES), `${rest} more`] : statuses);
}
