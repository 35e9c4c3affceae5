import { createSourceLines } from "./source-lines.js";

/** Columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The line of a place and a caret below it, each no longer than the terminal is wide; none of a file that cannot be read. */
export type ShowPlace = (place: Place) => readonly string[];

export function createCodeFrames(columns = COLUMNS): ShowPlace {
  const readLine = createSourceLines();
  return ({ file, line, column }) => {
    const text = readLine(file, line);
    if (text === undefined) return [];
    const head = `  ${line} | `;
    const room = Math.max(columns - head.length, 10);
    // Of a line that is too long, what is around the place.
    const start = column <= room ? 0 : column - Math.ceil(room / 2);
    return [
      head + toPlain(text.slice(start, start + room)),
      `${" ".repeat(head.length - 2)}| ${" ".repeat(column - 1 - start)}^`,
    ];
  };
}

/** One character stays one, so that the caret is below it; none of them has a say in how a terminal looks. */
function toPlain(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what has to go
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}
