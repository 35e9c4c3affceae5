import fc, { type Arbitrary } from "fast-check";
import { FIRST_NAMES, LAST_NAMES, sentence, slug, word } from "./words.js";

const MS_PER_SECOND = 1000;

/** A fixed span in seconds, so that the same seed gives the same value at any time. */
const [FIRST, LAST] = [Date.UTC(2024, 0, 1) / MS_PER_SECOND, Date.UTC(2026, 0, 1) / MS_PER_SECOND];

/** Instants to the second, in ISO 8601: `2025-03-14T09:26:53Z`. */
export const instant: Arbitrary<string> = fc
  .integer({ min: FIRST, max: LAST })
  .map((seconds) => new Date(seconds * MS_PER_SECOND).toISOString().replace(".000Z", "Z"));

export const person: Arbitrary<readonly [string, string]> = fc.tuple(
  fc.constantFrom(...FIRST_NAMES),
  fc.constantFrom(...LAST_NAMES),
);

/** At a reserved domain (RFC 2606). */
export const email = person.map(([first, last]) => `${first}.${last}@example.com`.toLowerCase());

export const url = slug.map((path) => `https://www.example.com/${path}`);

export const phone = fc
  .integer({ min: 0, max: 99 })
  .map((number) => `+1 202 555 01${String(number).padStart(2, "0")}`);

/** Lower-case hexadecimal digits. */
export function toHex(length: number): Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(""));
}

const byte = fc.integer({ min: 1, max: 254 });

/** From the address ranges for documentation (RFC 5737, RFC 3849). */
const ipv4 = byte.map((last) => `192.0.2.${last}`);
const ipv6 = byte.map((last) => `2001:db8::${last.toString(16)}`);

const hostname = word.map((name) => `${name}.example.com`);

/** `btoa` takes ASCII only, which sentences are. */
const base64 = sentence.map((text) => btoa(text));

/** Strings by format of JSON Schema and of OpenAPI's format registry. */
export const FORMATS: ReadonlyMap<string, Arbitrary<string>> = new Map([
  ["date-time", instant],
  ["date", instant.map((text) => text.slice(0, 10))],
  ["time", instant.map((text) => text.slice(11))],
  ["iso-date-time", instant],
  ["iso-time", instant.map((text) => text.slice(11))],
  ["duration", fc.integer({ min: 1, max: 90 }).map((minutes) => `PT${minutes}M`)],
  ["email", email],
  ["idn-email", email],
  ["hostname", hostname],
  ["idn-hostname", hostname],
  ["ipv4", ipv4],
  ["ip", ipv4],
  ["ipv6", ipv6],
  ["uri", url],
  ["url", url],
  ["iri", url],
  ["uri-reference", slug.map((path) => `/${path}`)],
  ["iri-reference", slug.map((path) => `/${path}`)],
  ["uri-template", word.map((name) => `https://www.example.com/${name}/{id}`)],
  ["uuid", fc.uuid({ version: 4 })],
  ["json-pointer", word.map((name) => `/${name}`)],
  ["json-pointer-uri-fragment", word.map((name) => `#/${name}`)],
  ["relative-json-pointer", word.map((name) => `0/${name}`)],
  ["regex", word.map((name) => `^${name}$`)],
  ["byte", base64],
  ["base64url", base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))],
  ["phone", phone],
  ["color", toHex(6).map((digits) => `#${digits}`)],
  ["int32", fc.integer({ min: 1, max: 9999 }).map(String)],
  ["int64", fc.integer({ min: 1, max: 9999 }).map(String)],
  ["decimal", fc.integer({ min: 100, max: 99_999 }).map((cents) => (cents / 100).toFixed(2))],
]);
