import { readFileSync } from "node:fs";

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
