/** Only such a text can have a number that changes when it is read. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;

/**
 * Parses JSON, and refuses a number that JavaScript would change: an integer beyond ±(2^53 − 1) (RFC 7493, section 2.2), or
 * one without end.
 * @throws {SyntaxError} saying what is wrong, completing `The body …`.
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

/** The first such number of a text that is JSON. */
function findInexact(text: string): string | undefined {
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [number] = found;
    if (number === '"') token.lastIndex = endOfString(text, found.index);
    else if (
      /^-?\d+$/.test(number) ? !Number.isSafeInteger(Number(number)) : !Number.isFinite(Number(number))
    )
      return number;
  }
  return undefined;
}

/** Index after the closing quote. It jumps from quote to quote, because texts can be long. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charAt(quote - 1 - backslashes) === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
