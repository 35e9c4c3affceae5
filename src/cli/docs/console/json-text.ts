import { joinPointer } from "tenon/core/document";

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

/**
 * Formats JSON without changing a number: `{"id":9007199254740993}` keeps its last digit.
 * @returns The text, and the line in it, from 1, at which the value of each JSON pointer begins.
 * @throws {JsonMistake} when the text is not JSON.
 */
export function formatJson(text: string) {
  const lines = new Map<string, number>();
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
    parts.push(`\n${"  ".repeat(depth)}`);
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

  const readValue = (pointer: string, depth: number): void => {
    if (depth > MAX_DEPTH) fail("A value that is less deep");
    lines.set(pointer, line);
    if (takeCharacter("{")) {
      parts.push("{");
      readMembers("}", depth, () => {
        take(SPACE);
        const name = take(STRING) ?? fail("A name in double quotes");
        if (!takeCharacter(":")) fail('":"');
        parts.push(name, ": ");
        readValue(joinPointer(pointer, JSON.parse(name) as string), depth + 1);
      });
    } else if (takeCharacter("[")) {
      parts.push("[");
      readMembers("]", depth, (index) => {
        readValue(joinPointer(pointer, index), depth + 1);
      });
    } else {
      parts.push(take(STRING) ?? take(LITERAL) ?? fail("A value"));
    }
  };

  readValue("", 0);
  take(SPACE);
  if (offset < text.length) fail("The end");
  return { formatted: parts.join(""), lines };
}
