import { findStringEnd } from "./find-string-end.js";

const MAX_DEPTH = 64;

/** A JSON error and its index in the text. */
export interface JsonFinding {
  readonly what: string;
  readonly index: number;
}

/** The tokens that the grammar allows next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or }" | ", or ]" | "end";

interface Level {
  /** Member names seen in an object; undefined in an array. */
  readonly names: Set<string> | undefined;
}

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/**
 * Finds the first error in a JSON text: a syntax error (RFC 8259), or a value that JavaScript cannot represent exactly (I-JSON,
 * RFC 7493). The latter are duplicate members, numbers that a double cannot hold or would turn into an integer, NUL characters,
 * lone surrogates, and nesting deeper than 64. A loop instead of recursion, so that deep nesting needs no stack.
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-2
 */
export function findJsonProblem(text: string): JsonFinding | undefined {
  const levels: Level[] = [];
  let expected: Expected = "value";
  let index = 0;
  for (;;) {
    index = matchAt(BLANK, text, index).end;
    if (index === text.length) {
      return expected === "end" ? undefined : { what: "is not JSON", index };
    }
    const character = text.charAt(index);
    const found = (what: string): JsonFinding => ({ what, index });
    const level = levels.at(-1);
    const afterValue = (): Expected =>
      levels.length === 0 ? "end" : levels.at(-1)?.names === undefined ? ", or ]" : ", or }";

    if (character === "," && expected.startsWith(",")) {
      expected = level?.names === undefined ? "value" : "name";
      index += 1;
    } else if (character === ":" && expected === ":") {
      expected = "value";
      index += 1;
    } else if ((character === "}" || character === "]") && expected.endsWith(character)) {
      levels.pop();
      expected = afterValue();
      index += 1;
    } else if (expected.startsWith("name")) {
      const string = readString(text, index);
      if (typeof string === "string") return found(string);
      if (level?.names?.has(string.value) === true) return found("has a member twice");
      level?.names?.add(string.value);
      expected = ":";
      index = string.end;
    } else if (!expected.startsWith("value")) {
      return found("is not JSON");
    } else if (character === "{" || character === "[") {
      levels.push({ names: character === "{" ? new Set() : undefined });
      if (levels.length > MAX_DEPTH) return found(`has more than ${MAX_DEPTH} levels of nesting`);
      expected = character === "{" ? "name or }" : "value or ]";
      index += 1;
    } else if (character === '"') {
      const string = readString(text, index);
      if (typeof string === "string") return found(string);
      expected = afterValue();
      index = string.end;
    } else {
      const { token, end } = matchAt(/[-\d]/.test(character) ? NUMBER : WORD, text, index);
      if (token === "") return found("is not JSON");
      if (/\d/.test(token) && !isExactNumber(token)) return found("has a number that cannot be kept exactly");
      expected = afterValue();
      index = end;
    }
  }
}

function matchAt(pattern: RegExp, text: string, index: number): { token: string; end: number } {
  pattern.lastIndex = index;
  const token = pattern.exec(text)?.[0] ?? "";
  return { token, end: index + token.length };
}

/** Reads the string that starts at `start`. @returns its error as a text if it is invalid. */
function readString(text: string, start: number): { value: string; end: number } | string {
  if (text.charAt(start) !== '"') return "is not JSON";
  const end = findStringEnd(text, start);
  if (end === undefined) return "is not JSON";
  let value: string;
  try {
    value = JSON.parse(text.slice(start, end)) as string;
  } catch {
    return "is not JSON";
  }
  if (value.includes("\0")) return "has text with a NUL character";
  if (/\p{Surrogate}/u.test(value)) return "has text with a lone surrogate";
  return { value, end };
}

/**
 * Tests whether a double can hold a number: it is finite, and a fraction does not become an integer. Fractions may lose digits, as
 * in all of JSON. Integers beyond 2^53 are accepted here; the validator rejects them if the schema declares an integer.
 */
export function isExactNumber(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (!Number.isInteger(value) || /^-?\d+$/.test(token)) return true;
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const significant = (whole + fraction).replace(/^-?0*/, "");
  if (significant === "") return true;
  return Number(exponent) - fraction.length + countTrailingZeros(significant) >= 0;
}

/** Counts from the end, because a pattern such as `0*$` takes quadratic time. */
function countTrailingZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.length - end;
}
