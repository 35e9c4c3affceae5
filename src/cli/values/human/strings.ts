import fc, { type Arbitrary } from "fast-check";
import type { FlatSchema } from "../flatten.js";
import { toRegExp } from "../regexp.js";
import { FORMATS } from "./formats.js";
import { findByName } from "./names.js";
import { toMatching } from "./pattern.js";
import { toPhrase, word } from "./words.js";

/** How often a source is asked for a text that fits before the next one is. */
const TRIES = 8;

/** Characters of a text that nothing is said of. */
const USUAL_LENGTH = 60;

/**
 * Strings that a reader takes for real ones: of the schema's format, of what the property's name tells, of its pattern, else
 * words; the first of these that fits what the schema says of texts.
 */
export function toStrings(flat: FlatSchema, name: string): Arbitrary<string> | undefined {
  const { format = "", pattern, minLength = 0, maxLength = Math.max(USUAL_LENGTH, minLength) } = flat;
  if (minLength > maxLength) return undefined;
  const encoded = flat.contentEncoding === "base64" ? FORMATS.get("byte") : undefined;
  const known = encoded ?? FORMATS.get(format);
  const matching = pattern === undefined ? undefined : toMatching(pattern);
  const named = known === undefined ? findByName(name) : undefined;
  const free = named ?? (maxLength < 12 || name === "key" ? word : toPhrase(1, 2));
  const sources = [
    ...(known === undefined ? [] : [known]),
    ...(named === undefined || pattern === undefined ? [] : [named]),
    ...(matching === undefined ? [] : [matching]),
    free.map((text) => toLength(text, minLength, maxLength)),
  ];
  const fits = createFit(pattern, minLength, maxLength);
  const [first] = sources;
  // Nothing to try where the first source cannot fail.
  if (
    sources.length === 1 ||
    (known !== undefined &&
      pattern === undefined &&
      flat.minLength === undefined &&
      flat.maxLength === undefined)
  )
    return first;
  const tries = sources.map((source) => fc.array(source, { minLength: TRIES, maxLength: TRIES }));
  return fc.tuple(...tries).map((texts) => {
    const all = texts.flat();
    return all.find(fits) ?? all[0] ?? "";
  });
}

/** @param text Words: each character is one unit. */
function toLength(text: string, least: number, most: number): string {
  let long = text;
  while (long.length < least) long += ` ${text}`;
  return long.length > most ? long.slice(0, most).replace(/ $/, "e") : long;
}

function createFit(pattern: string | undefined, least: number, most: number): (text: string) => boolean {
  const regexp = pattern === undefined ? undefined : toRegExp(pattern);
  return (text) => {
    // In characters, as JSON Schema counts.
    const { length } = Array.from(text);
    return (
      length >= least && length <= most && (regexp?.test(text) ?? true) && /^[^\p{Cc}\p{Cs}]*$/u.test(text)
    );
  };
}
