import { findStringEnd } from "./find-string-end.js";

/** Matches every text with a number that parsing could change. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;

/**
 * Parses JSON. Refuses a number that JavaScript would change: an integer beyond ±(2^53 − 1) (RFC 7493, section 2.2), or one that
 * would become infinite.
 * @throws {SyntaxError} with a message that completes `The body …`.
 */
export function parseExactJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError(text.trim() === "" ? "is empty, and not JSON" : "is not JSON");
  }
  const number = SUSPECT.test(text) ? findInexact(text) : undefined;
  if (number !== undefined) throw new SyntaxError(`has the number ${number}, which cannot be kept exactly`);
  return value;
}

/** Finds the first number that parsing would change. */
function findInexact(text: string): string | undefined {
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [number] = found;
    if (number === '"') token.lastIndex = findStringEnd(text, found.index) ?? text.length;
    else if (
      /^-?\d+$/.test(number) ? !Number.isSafeInteger(Number(number)) : !Number.isFinite(Number(number))
    )
      return number;
  }
  return undefined;
}
