import { findStringEnd } from "tenon/core/json";

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
   * @param keys From the root. Where they lead to no value, the last one on the way counts.
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
        const end = findStringEnd(text, at) ?? text.length;
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
    const lines = (this.#lines ??= listLines(this.text));
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, col: offset - (lines[low] ?? 0) + 1 };
  }
}

/** Lists the offsets of lines. */
function listLines(text: string): readonly number[] {
  const lines = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) lines.push(end + 1);
  return lines;
}

/** Skips white space in valid JSON, which has no other control characters between its tokens. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

const SPACE = 0x20;

/** Finds the end of the value that starts at an offset. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === '"') at = (findStringEnd(text, at) ?? text.length) - 1;
    // The end of a number or a literal is that of the object or array around it.
    else if (depth > 0 || /[^\s,]/.test(character ?? "")) continue;
    else return at;
    if (depth === 0) return at + 1;
    if (depth < 0) return at;
  }
  return text.length;
}
