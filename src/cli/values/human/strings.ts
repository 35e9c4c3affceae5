import fc, { type Arbitrary } from "fast-check";
import type { FlatSchema } from "../flatten.js";
import { mayBeCostly, toRegExp } from "../regexp.js";
import { FORMATS } from "./formats.js";
import { findByName } from "./names.js";
import { toPhrase, word } from "./words.js";

/** Texts of each source that are tried. */
const TRIES = 8;

/** Length of a text unless the schema says otherwise. */
const USUAL_LENGTH = 60;

/**
 * Makes strings that look real: by the schema's format, the property's name or the pattern, else of words; the first of these that
 * the schema allows.
 */
export function toStrings(flat: FlatSchema, name: string): Arbitrary<string> | undefined {
  const { format = "", pattern, minLength = 0, maxLength = Math.max(USUAL_LENGTH, minLength) } = flat;
  if (minLength > maxLength) return undefined;
  const encoded = flat.contentEncoding === "base64" ? FORMATS.get("byte") : undefined;
  const known = encoded ?? FORMATS.get(format);
  const named = known === undefined ? findByName(name) : undefined;
  const free = named ?? (maxLength < 12 || name === "key" ? word : toPhrase(1, 2));
  const usual = free.map((text) => toLength(text, minLength, maxLength));
  const patterned = pattern === undefined ? undefined : toMatching(pattern);
  // The texts of other sources cannot be compared with it.
  const isComparable = pattern === undefined || !mayBeCostly(pattern, minLength);
  const all = isComparable
    ? [known, ...(pattern === undefined ? [] : [named, patterned]), usual]
    : [patterned ?? usual];
  const sources = all.filter((source) => source !== undefined);
  const fits = createFit(isComparable ? pattern : undefined, minLength, maxLength);
  const [first] = sources;
  const isFree = pattern === undefined && flat.minLength === undefined && flat.maxLength === undefined;
  // A single source, or a format without further constraints, needs no tries.
  if ((sources.length === 1 && isComparable) || (known !== undefined && isFree)) return first;
  const tries = sources.map((source) => fc.array(source, { minLength: TRIES, maxLength: TRIES }));
  return fc.tuple(...tries).map((texts) => {
    const all = texts.flat();
    return all.find(fits) ?? all[0] ?? "";
  });
}

/** Repeats or cuts a text of words, in which each character is one code unit. */
function toLength(text: string, least: number, most: number): string {
  let long = text;
  while (long.length < least) long += ` ${text}`;
  return long.length > most ? long.slice(0, most).replace(/ $/, "e") : long;
}

/** Creates the test whether a text has a pattern, a length in characters, and no control character. */
export function createFit(
  pattern: string | undefined,
  least: number,
  most: number,
): (text: string) => boolean {
  const regexp = pattern === undefined ? undefined : toRegExp(pattern);
  return (text) => {
    // JSON Schema counts characters, not code units.
    const { length } = Array.from(text);
    return (
      length >= least && length <= most && (regexp?.test(text) ?? true) && /^[^\p{Cc}\p{Cs}]*$/u.test(text)
    );
  };
}

/** Readable characters of classes with many. */
const READABLE: Readonly<Record<string, string>> = {
  ".": "[a-z]",
  "\\S": "[a-z\\d]",
  "\\w": "[a-z\\d]",
  "\\D": "[a-z]",
  "\\s": " ",
};

/** The texts of patterns that were read: that takes fast-check milliseconds, and contracts repeat them. */
const matching = new Map<string, Arbitrary<string> | undefined>();

function toMatching(pattern: string): Arbitrary<string> | undefined {
  if (!matching.has(pattern)) matching.set(pattern, readPattern(pattern));
  return matching.get(pattern);
}

/**
 * Makes texts that usually match a regular expression, of readable characters if possible.
 * @returns undefined for an expression that fast-check does not support: one with a look-ahead, for example.
 */
function readPattern(pattern: string): Arbitrary<string> | undefined {
  const whole = toWhole(pattern);
  const sources = [toReadable(whole), whole, pattern].flatMap((source) => toArbitrary(source) ?? []);
  const [first, ...others] = sources;
  if (first === undefined) return undefined;
  return others.length === 0 ? first : fc.oneof(first, ...others);
}

function toArbitrary(source: string): Arbitrary<string> | undefined {
  const regexp = toRegExp(source);
  try {
    return regexp && fc.stringMatching(regexp, { size: "xsmall" });
  } catch {
    return undefined;
  }
}

/** Anchors a pattern at both ends. */
function toWhole(pattern: string): string {
  const outside = pattern.replace(TOKEN, (token) => (token === "." ? token : ""));
  if (/.\^|\$.|\|/.test(outside)) return pattern;
  return `${pattern.startsWith("^") ? "" : "^"}${pattern}${outside.endsWith("$") ? "" : "$"}`;
}

/** Matches classes and escapes as a whole, so that a dot within one is not a dot. */
const TOKEN = /\[(?:\\[^]|[^\]\\])*\]|\\[^]|\./g;

function toReadable(pattern: string): string {
  return pattern.replace(TOKEN, (token) => (token.startsWith("[^") ? "[a-z]" : (READABLE[token] ?? token)));
}
