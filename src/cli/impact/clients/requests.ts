import type ts from "#typescript";
import type { ClientBreak } from "../impact.js";
import type { TypePair } from "./probe.js";
import type { TypeComparison } from "./compare-types.js";
import type { Difference } from "./outcome.js";
import type { TypeReader } from "./type-reader.js";

/** Key of the calls without a body. */
const NO_BODY = "";

/** Compares the options of a call: its parameters, and its body by media type. */
export function compareRequests(
  { before, after }: TypePair,
  sends: TypeComparison,
  reader: TypeReader,
): readonly ClientBreak[] {
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
      return [
        mediaType === undefined ? NO_BODY : reader.show(reader.toParts(reader.toType(mediaType)).all),
        part,
      ];
    }),
  );
}

function isRequired(options: ts.Type, name: string, reader: TypeReader): boolean {
  const property = options.getProperty(name);
  return property !== undefined && !reader.isOptional(property);
}
