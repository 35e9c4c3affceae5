import { isUtf8 } from "node:buffer";
import { parseCheckedJson } from "./checked-json.js";

/**
 * Parses JSON that can be kept exactly, and refuses the rest instead of changing it silently. A byte order mark is
 * refused too (RFC 8259, section 8.1).
 * @param subject Start of a message, for a part of the body: `Line 3`.
 * @throws {HttpError} `malformed_json` with the line and column; it quotes nothing of the body.
 */
export function parseExactJson(bytes: Buffer, subject = "The body"): unknown {
  const value = parsePlainJson(bytes);
  return value === NOT_PLAIN ? parseCheckedJson(bytes, subject) : value;
}

/** Result of {@link parsePlainJson} for a text that needs the full check. */
export const NOT_PLAIN: unique symbol = Symbol("not plain");

/** Maximum depth of plain JSON. */
const PLAIN_DEPTH = 32;

/** Maximum length of a number in plain JSON; a double may not represent longer ones. */
const PLAIN_DIGITS = 15;

const QUOTE = 0x22;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Parses plain JSON: without escapes, exponents, long numbers and duplicate members. Nearly every body is plain, and this is faster
 * than `findJsonProblem`, which checks the others.
 */
export function parsePlainJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return NOT_PLAIN;
  const text = bytes.toString("utf8");
  if (text.includes("\\")) return NOT_PLAIN;
  const memberCount = countPlainMembers(text);
  if (memberCount === undefined) return NOT_PLAIN;
  try {
    const value: unknown = JSON.parse(text);
    // `JSON.parse` keeps only the last member of each name.
    return countMembers(value) === memberCount ? value : NOT_PLAIN;
  } catch {
    return NOT_PLAIN;
  }
}

/** @returns undefined where something is not plain. Without escapes, every string ends at the next quote. */
function countPlainMembers(text: string): number | undefined {
  let members = 0;
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code >= DIGIT_0 && code <= DIGIT_9) || code === DOT) {
      digits += 1;
      if (digits > PLAIN_DIGITS) return undefined;
      continue;
    }
    if (code === QUOTE) {
      index = text.indexOf('"', index + 1);
      if (index === -1) return undefined;
    } else if (code === COLON) {
      members += 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > PLAIN_DEPTH) return undefined;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (digits > 0 && (code === LOWER_E || code === UPPER_E)) {
      return undefined;
    }
    digits = 0;
  }
  return members;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) count += countMembers(item);
    return count;
  }
  // Faster than a list of the values; what was parsed inherits no enumerable member.
  for (const name in value) count += 1 + countMembers((value as Readonly<Record<string, unknown>>)[name]);
  return count;
}
