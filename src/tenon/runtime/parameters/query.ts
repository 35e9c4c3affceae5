import { HttpError } from "../errors/http-error.js";
import { decodePercent } from "./percent.js";

/** Values by decoded name, in the order they came. Values are as they were sent: a style may have to take them apart first. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

const NO_PAIRS: Pairs = new Map();

/**
 * Parses the part of a URL after `?`, or an `application/x-www-form-urlencoded` body: `a=1&b=c+d&a=2` becomes `a` with
 * `["1", "2"]` and `b` with `["c+d"]`. `=` may be missing.
 * @param what Subject of the message.
 * @throws {HttpError} `malformed_request` for a name with a bad percent-escape or one that is not UTF-8.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing (which would let bad escapes pass)
 */
export function parseQuery(text: string, what = "The query"): Pairs {
  if (text === "") return NO_PAIRS;
  const pairs = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const [name, value] = splitPair(pair);
    addPair(pairs, decodeName(name, what), value);
  }
  return pairs;
}

export function addPair(pairs: Map<string, string[]>, name: string, value: string): void {
  const values = pairs.get(name);
  if (values === undefined) pairs.set(name, [value]);
  else values.push(value);
}

/** `a=b=c` is `["a", "b=c"]`, `a` is `["a", ""]`. */
export function splitPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf("=");
  return equals === -1 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/**
 * Decodes a name or a value of a query, where `+` is a space.
 * @throws {ValueProblem} malformed, for a bad percent-escape.
 */
export function decodeQueryText(text: string): string {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function decodeName(text: string, what: string): string {
  try {
    return decodeQueryText(text);
  } catch (cause) {
    throw new HttpError("malformed_request", { message: `${what} has a bad percent-escape`, cause });
  }
}
