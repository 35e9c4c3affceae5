import { joinPointer } from "tenon/core/document";

/** JSON as it is read, shown and pointed into, without its numbers being changed. */
export interface JsonText {
  /** Indented by two spaces. */
  readonly formatted: string;
  /** Where the value of each JSON pointer begins in `formatted`, in lines from 1. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Where a text stops being JSON. */
export class JsonMistake extends SyntaxError {
  override readonly name = "JsonMistake";

  constructor(
    /** What was wanted and what was found. */
    readonly why: string,
    /** From 0, in UTF-16 units. */
    readonly offset: number,
    /** From 1. */
    readonly line: number,
    /** From 1. */
    readonly column: number,
  ) {
    super(`Line ${line}, column ${column}: ${why}`);
  }
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
// eslint-disable-next-line no-control-regex -- JSON has no control characters in its strings.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;

/** Deeper values are refused, as a stack has an end. */
const MOST_DEPTH = 500;

/**
 * Formats JSON without changing a number: `{"id":9007199254740993}` keeps its last digit.
 * @throws {JsonMistake} where it is none.
 */
export function formatJson(text: string): JsonText {
  const lines = new Map<string, number>();
  const parts: string[] = [];
  let offset = 0;
  let line = 1;

  const fail = (wanted: string): never => {
    const before = text.slice(0, offset).split("\n");
    const character = /^./su.exec(text.slice(offset, offset + 2))?.[0];
    const found = character === undefined ? "the end" : JSON.stringify(character);
    throw new JsonMistake(
      `${wanted} was expected, and not ${found}`,
      offset,
      before.length,
      (before.at(-1)?.length ?? 0) + 1,
    );
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
    if (depth > MOST_DEPTH) fail("A value that is less deep");
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
