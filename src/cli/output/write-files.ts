import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { toVisible } from "./visible.js";
import { showPath } from "./show-path.js";

/** The reason why a file cannot be written and how to fix it, by the operating system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied; let this user write there",
  EPERM: "permission is denied; let this user write there",
  EROFS: "the file system is read-only; run this where it is not",
  ENOSPC: "no space is left on the device; make some",
  EDQUOT: "the disk quota is used up; make some space",
  ENOENT: "its folder cannot be created; use another one",
  EEXIST: "something else is in its place; move that away",
  EISDIR: "a folder is in its place; move that away",
  ENOTDIR: "a part of its path is a file and no folder; move that away",
  ENAMETOOLONG: "the name is too long for the file system; use a shorter one",
};

/** The command cannot read or write a file. Exit code 2. */
export class FileError extends Error {
  override readonly name: string = "FileError";

  constructor(
    message: string,
    /** Absolute path. */
    readonly path: string,
    override readonly cause: NodeJS.ErrnoException,
  ) {
    super(message);
  }

  /** Formats the message, with the path relative to a folder. */
  toText(cwd: string): string {
    return toVisible(this.message.replace(this.path, () => showPath(this.path, cwd) || this.path));
  }
}

/** The command cannot write a file, and nothing else of the same run was written. */
export class WriteError extends FileError {
  override readonly name = "WriteError";

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`Cannot write ${path}: ${REASONS[cause.code ?? ""] ?? cause.message}`, path, cause);
  }
}

/** The command cannot read a file. */
export class ReadError extends FileError {
  override readonly name = "ReadError";

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`Cannot read ${path}: ${describeReadError(cause)}`, path, cause);
  }
}

/** Describes why a file cannot be read or watched. */
export function describeReadError({ code = "", message }: NodeJS.ErrnoException): string {
  if (code === "ELOOP") return "its symbolic links lead in a circle";
  return code === "EACCES" || code === "EPERM" ? "permission is denied; let this user read it" : message;
}

/** For `catch`: reads a missing file as undefined. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/**
 * For `catch`: turns a failure to read into a {@link ReadError}. A file or folder in the place of another one is a
 * {@link WriteError}, because it has to be moved away first.
 */
export function cannotRead(path: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (cause.code === "EISDIR" || cause.code === "ENOTDIR") throw new WriteError(path, cause);
    throw new ReadError(cause.path ?? path, cause);
  };
}

/** For `catch`: turns the failure of a step into a {@link WriteError}. */
export function cannotWrite(path: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    throw new WriteError(path, cause);
  };
}

/**
 * Creates a folder and its parents. The option `recursive` of `mkdir` never ends in `/proc`.
 * @returns the first folder that was created; undefined for a folder that exists.
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  const isFolder = async () => (await stat(folder).catch(ignoreMissing))?.isDirectory() === true;
  if (await isFolder()) return undefined;
  const first = await createFolder(dirname(folder));
  await mkdir(folder).catch(async (error: unknown) => {
    // Another process may have been faster.
    if (!(await isFolder())) throw error;
  });
  return first ?? folder;
}

/**
 * Writes files that do not exist yet: all of them, or none. A file that another program created in the meantime is not changed.
 * @param files Absolute path to text.
 * @throws {WriteError}
 */
export async function writeNewFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const made: string[] = [];
  try {
    for (const [path, text] of files) {
      const folder = await createFolder(dirname(path)).catch(cannotWrite(path));
      if (folder !== undefined) made.push(folder);
      await writeFile(path, text, { flag: "wx" }).catch((error: unknown) => {
        const cause = error as NodeJS.ErrnoException;
        // A full disk leaves part of the file.
        if (cause.code !== "EEXIST") made.push(path);
        throw new WriteError(path, cause);
      });
      made.push(path);
    }
  } catch (error) {
    for (const path of made) await rm(path, { recursive: true, force: true });
    throw error;
  }
}
