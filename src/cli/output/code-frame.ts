import { readFileSync } from "node:fs";
import type { SourcePosition } from "tenon/core/document";
import { toVisible } from "./visible.js";

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
    const before = toVisible(text.slice(start, column - 1));
    return [
      head + before + toVisible(text.slice(column - 1, start + room)),
      `${" ".repeat(head.length - 2)}| ${" ".repeat(before.length)}^`,
    ];
  };
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
