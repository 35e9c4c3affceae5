import { ValueProblem } from "./value-problem.js";

/** Raw values by decoded name, in the order received. A style splits them before they are decoded. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

const NO_PAIRS: Pairs = new Map();

/**
 * Parses the part of a URL after `?`, or an `application/x-www-form-urlencoded` body: `a=1&b=c+d&a=2` becomes `a` with
 * `["1", "2"]` and `b` with `["c+d"]`. `=` may be missing.
 * @throws {ValueProblem} malformed, for a name with a bad percent-escape or one that is not UTF-8.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing (which accepts bad escapes)
 */
export function parsePairs(text: string): Pairs {
  if (text === "") return NO_PAIRS;
  const pairs = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const [name, value] = splitPair(pair);
    addPair(pairs, decodeQueryText(name), value);
  }
  return pairs;
}

/**
 * Parses a `Cookie` header. Values stay encoded.
 * @param separator Separator of the cookies. Default: `;`.
 * @param keepQuotes Keeps quotes around values. Default: false.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-4.2.1
 */
export function parseCookies(
  header: string | undefined,
  separator: string | RegExp = ";",
  keepQuotes = false,
): Pairs {
  const pairs = new Map<string, string[]>();
  for (const cookie of header?.split(separator) ?? []) {
    if (!cookie.includes("=")) continue;
    const [name, value] = splitPair(cookie);
    const text = value.trim();
    addPair(pairs, name.trim(), keepQuotes ? text : text.replace(/^"(.*)"$/, "$1"));
  }
  return pairs;
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

export function addPair(pairs: Map<string, string[]>, name: string, value: string): void {
  const values = pairs.get(name);
  if (values === undefined) pairs.set(name, [value]);
  else values.push(value);
}

/**
 * Decodes percent-escapes.
 * @throws {ValueProblem} malformed, for a bad percent-escape or one that is not UTF-8.
 */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ValueProblem("has a bad percent-escape", [], true);
  }
}
