import { realpath, stat } from "node:fs/promises";
import { WriteError } from "../output/write-files.js";
import type { FileChange } from "./file-changes.js";

/** A part of a file to replace. */
export interface TextEdit {
  /** Absolute path. */
  readonly file: string;
  /** Offsets in the file's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change of one file, as its author has written it. */
export interface EditedFile {
  /** Absolute path. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Applies edits to their files. An edit that occurs twice is applied once.
 * @param read Reads a file by its absolute path.
 */
export function applyEdits(
  edits: readonly TextEdit[],
  read: (path: string) => string,
): ReadonlyMap<string, EditedFile> {
  const files = new Map<string, EditedFile>();
  const seen = new Set<string>();
  // From the last place to the first, so that one edit does not move the others.
  for (const { file, start, end, text } of [...edits].sort((a, b) => b.start - a.start)) {
    const key = `${start} ${file}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const { before, after } = files.get(file) ?? { before: read(file), after: read(file) };
    files.set(file, { path: file, before, after: after.slice(0, start) + text + after.slice(end) });
  }
  return files;
}

/** A line that an edit changes. */
export interface ChangedLine {
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Lists the lines that differ. No edit adds or removes a line. */
export function listChangedLines({ before, after }: EditedFile): readonly ChangedLine[] {
  const changed = after.split(/\r?\n/);
  return before.split(/\r?\n/).flatMap((text, index) => {
    const now = changed[index] ?? "";
    return now === text ? [] : [{ line: index + 1, before: text.trim(), after: now.trim() }];
  });
}

/** @throws {WriteError} for a file that its owner may not write. Replacing the file would circumvent that. */
export async function toFileChange({ path, before, after }: EditedFile): Promise<FileChange> {
  // A link stays one.
  const real = await realpath(path);
  if (((await stat(real)).mode & 0o222) === 0)
    throw new WriteError(path, Object.assign(new Error("The file is read-only"), { code: "EACCES" }));
  return { path: real, kind: "changed", before, after };
}
