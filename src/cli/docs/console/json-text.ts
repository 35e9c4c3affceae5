import { parsePointer } from "tenon/core/document";

/** The error of a text that is not JSON: `Line 3, column 1: A value was expected, and not "}"`. */
export class JsonMistake extends SyntaxError {
  override readonly name = "JsonMistake";
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
// eslint-disable-next-line no-control-regex -- JSON has no control characters in its strings.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;

/** Deeper values are refused: each level is a call on the stack. */
const MAX_DEPTH = 500;

/** Levels that are indented. Deeper ones would be mostly spaces: 100,000 values in 500 levels are 100 MB of them. */
const MAX_INDENTED = 50;

/** A value's line, and those of its members. Pointers of all values would take the square of a text's length. */
interface Place {
  readonly line: number;
  readonly members: Map<string, Place>;
}

/**
 * Formats JSON without changing a number: `{"id":9007199254740993}` keeps its last digit.
 * @returns The text, and a function that returns the line in it, from 1, at which the value of a JSON pointer begins.
 * @throws {JsonMistake} when the text is not JSON.
 */
export function formatJson(text: string) {
  const parts: string[] = [];
  let offset = 0;
  let line = 1;

  const fail = (expected: string): never => {
    const before = text.slice(0, offset).split("\n");
    const character = /^./su.exec(text.slice(offset, offset + 2))?.[0];
    const found = character === undefined ? "the end" : JSON.stringify(character);
    const place = `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new JsonMistake(`${place}: ${expected} was expected, and not ${found}`);
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    offset += found?.length ?? 0;
    return found;
  };
  const takeCharacter = (character: string): boolean => {
    take(SPACE);
    if (text.charAt(offset) !== character) return false;
    offset += 1;
    return true;
  };
  const breakLine = (depth: number): void => {
    parts.push(`\n${"  ".repeat(Math.min(depth, MAX_INDENTED))}`);
    line += 1;
  };

  const readMembers = (close: string, depth: number, readMember: (index: number) => void): void => {
    if (takeCharacter(close)) {
      parts.push(close);
      return;
    }
    for (let index = 0; ; index += 1) {
      breakLine(depth + 1);
      readMember(index);
      if (takeCharacter(close)) break;
      if (!takeCharacter(",")) fail(`"," or "${close}"`);
      parts.push(",");
    }
    breakLine(depth);
    parts.push(close);
  };

  const readValue = (depth: number): Place => {
    if (depth > MAX_DEPTH) fail("A value that is less deep");
    const place: Place = { line, members: new Map() };
    if (takeCharacter("{")) {
      parts.push("{");
      readMembers("}", depth, () => {
        take(SPACE);
        const name = take(STRING) ?? fail("A name in double quotes");
        if (!takeCharacter(":")) fail('":"');
        parts.push(name, ": ");
        place.members.set(JSON.parse(name) as string, readValue(depth + 1));
      });
    } else if (takeCharacter("[")) {
      parts.push("[");
      readMembers("]", depth, (index) => {
        place.members.set(String(index), readValue(depth + 1));
      });
    } else {
      parts.push(take(STRING) ?? take(LITERAL) ?? fail("A value"));
    }
    return place;
  };

  const root = readValue(0);
  take(SPACE);
  if (offset < text.length) fail("The end");
  const findLine = (pointer: string): number | undefined => {
    let place: Place | undefined = root;
    for (const key of parsePointer(pointer)) place = place?.members.get(key);
    return place?.line;
  };
  return { formatted: parts.join(""), findLine };
}
