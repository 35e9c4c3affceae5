import fc from "fast-check";
import type { FlatSchema } from "../../values/index.js";
import { toUnicodePattern } from "../validator.js";

/** The part of a request that a string is sent in. Characters that not every server accepts there are left out. */
export type TextLocation = "json" | "path" | "query" | "header" | "cookie";

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
/** Characters that careless stores, logs and pages fail for. Control characters and lone surrogates are not text everywhere. */
const UNUSUAL = Array.from("'\"<>&;%$\\/|éßñøЖ中日한اع😀");
const BY_LOCATION: Readonly<Record<TextLocation, readonly string[]>> = {
  json: [...LETTERS, ...UNUSUAL],
  query: [...LETTERS, ...UNUSUAL.filter((char) => char !== "|")],
  path: [...LETTERS, "-", "_"],
  header: [...LETTERS, "-", "_"],
  cookie: [...LETTERS, "-", "_"],
};
/** Length of strings unless the schema requires more. */
const USUAL_LENGTH = 12;

/** Makes strings of a schema by its format, pattern and lengths; undefined when no string can be made of its pattern. */
export function toStrings(
  { format, pattern, minLength = 0, maxLength = minLength + USUAL_LENGTH }: FlatSchema,
  location: TextLocation,
): fc.Arbitrary<string> | undefined {
  // A pattern that cannot be read restricts nothing.
  const readable = pattern === undefined ? undefined : toUnicodePattern(pattern);
  if (readable !== undefined) return toMatching(readable, { minLength, maxLength });
  const formatted = format === undefined ? undefined : FORMATS[format]?.();
  if (formatted !== undefined) return formatted;
  // Many servers take an empty text in a URL or header for an absent one.
  const min = location === "json" ? minLength : Math.max(1, minLength);
  const max = Math.max(min, Math.min(maxLength, min + USUAL_LENGTH));
  const of = (characters: readonly string[]) =>
    fc.array(fc.constantFrom(...characters), { minLength: min, maxLength: max }).map((list) => list.join(""));
  return fc.oneof(of(LETTERS), of(BY_LOCATION[location]));
}

function toMatching(
  pattern: string,
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<string> | undefined {
  try {
    const strings = fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
    return strings.filter(
      (text) => isOfLength(text, minLength, maxLength) && /^[^\p{Cc}\p{Cs}]*$/u.test(text),
    );
  } catch {
    return undefined;
  }
}

function isOfLength(text: string, min: number, max: number): boolean {
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

const days = fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * 86_400_000));

const FORMATS: Readonly<Record<string, (() => fc.Arbitrary<string>) | undefined>> = {
  date: () => days.map((day) => day.toISOString().slice(0, 10)),
  "date-time": () => days.map((day) => day.toISOString()),
  time: () => days.map((day) => day.toISOString().slice(11)),
  uuid: () => fc.uuid({ version: 4 }),
  email: () => fc.integer({ min: 1, max: 9999 }).map((n) => `someone${n}@example.com`),
  uri: () => fc.integer({ min: 1, max: 9999 }).map((n) => `https://example.com/${n}`),
  url: () => fc.integer({ min: 1, max: 9999 }).map((n) => `https://example.com/${n}`),
  "uri-reference": () => fc.integer({ min: 1, max: 9999 }).map((n) => `/${n}`),
  hostname: () => fc.integer({ min: 1, max: 9999 }).map((n) => `host${n}.example.com`),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  byte: () => fc.base64String({ maxLength: 16 }),
};
