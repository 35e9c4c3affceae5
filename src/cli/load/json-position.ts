/** The offsets of the name and the value of a member. An item of an array has no name. */
interface Place {
  readonly key?: number;
  readonly value: number;
}

/** A line and a column, from 1. */
export interface LineColumn {
  readonly line: number;
  readonly col: number;
}

/** Finds positions in valid JSON. Only the objects and arrays on the way to a position are read. */
export class JsonPositions {
  /** Members of objects and arrays, by the offset of these. */
  readonly #members = new Map<number, ReadonlyMap<string, Place>>();
  #lines: readonly number[] | undefined;

  constructor(readonly text: string) {}

  /**
   * Finds the start of a value, or of the name of its member.
   * @param keys From the root. If there is no such value, the start of the last known one is found.
   */
  find(keys: readonly string[], onKey: boolean): LineColumn {
    let place: Place = { value: skipSpace(this.text, 0) };
    for (const key of keys) {
      const found = this.#listMembers(place.value).get(key);
      if (found === undefined) break;
      place = found;
    }
    return this.#toLine((onKey ? place.key : undefined) ?? place.value);
  }

  #listMembers(start: number): ReadonlyMap<string, Place> {
    const { text } = this;
    const known = this.#members.get(start);
    if (known !== undefined) return known;
    const members = new Map<string, Place>();
    this.#members.set(start, members);
    if (text[start] !== "{" && text[start] !== "[") return members;
    let at = skipSpace(text, start + 1);
    while (text[at] !== "}" && text[at] !== "]") {
      let place: Place = { value: at };
      let name = String(members.size);
      if (text[start] === "{") {
        const end = findStringEnd(text, at);
        name = JSON.parse(text.slice(at, end)) as string;
        place = { key: at, value: skipSpace(text, text.indexOf(":", end) + 1) };
      }
      members.set(name, place);
      at = skipSpace(text, findEnd(text, place.value));
      if (text[at] === ",") at = skipSpace(text, at + 1);
    }
    return members;
  }

  #toLine(offset: number): LineColumn {
    this.#lines ??= [0, ...Array.from(this.text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, col: offset - (this.#lines[low] ?? 0) + 1 };
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Finds the end of the value that starts at an offset. */
function findEnd(text: string, start: number): number {
  const tokens = /["[\]{}]|[^\s,:"[\]{}]+/g;
  tokens.lastIndex = start;
  let depth = 0;
  do {
    const [token] = tokens.exec(text) ?? [];
    if (token === '"') tokens.lastIndex = findStringEnd(text, tokens.lastIndex - 1);
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
  } while (depth > 0);
  return tokens.lastIndex;
}

/** Finds the end of the string in valid JSON that starts at an offset. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Tests whether a character has an odd number of backslashes before it. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === "\\") start -= 1;
  return (index - start) % 2 === 1;
}
