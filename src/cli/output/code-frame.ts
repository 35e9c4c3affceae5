import { readFileSync } from "node:fs";
import type { SourcePosition } from "tenon/core/document";

/** Columns of a terminal that does not report its width. */
const COLUMNS = 80;

/** The line of a place and a caret below it, cut to the width of the terminal; empty when the file cannot be read. */
type ShowPlace = (place: Pick<SourcePosition, "file" | "line" | "column">) => readonly string[];

export function createCodeFrames(columns = COLUMNS): ShowPlace {
  const readLine = createSourceLines();
  return ({ file, line, column }) => {
    const text = readLine(file, line);
    if (text === undefined) return [];
    const head = `  ${line} | `;
    const room = Math.max(columns - head.length, 10);
    // A line that is too long is cut around the place.
    const start = column <= room ? 0 : column - Math.ceil(room / 2);
    return [
      head + toPlain(text.slice(start, start + room)),
      `${" ".repeat(head.length - 2)}| ${" ".repeat(column - 1 - start)}^`,
    ];
  };
}

/** Replaces each control character by a space: terminals would interpret it, and the caret's position has to stay the same. */
function toPlain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

/** A line of a file, from 1; undefined where the file cannot be read or has no such line. Each file is read once. */
export type ReadSourceLine = (file: string, line: number) => string | undefined;

export function createSourceLines(): ReadSourceLine {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = files.get(file) ?? readLines(file);
    files.set(file, lines);
    return lines[line - 1];
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}
