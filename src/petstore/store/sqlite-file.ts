import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreOpenError } from "./store.js";

/**
 * Creates the directory of a database's file where it is missing, and refuses what this process could not write: SQLite
 * opens that, too, and only the first write would fail.
 * @throws {StoreOpenError}
 */
export function prepareFile(file: string): void {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true });
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new StoreOpenError(`Cannot open ${file}: it is a directory.`);
  // The log, and what processes share, are beside the file.
  for (const path of stats === undefined ? [directory] : [file, directory]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      const { code = "" } = cause as NodeJS.ErrnoException;
      throw new StoreOpenError(
        `Cannot open ${file}: this user may not read and write ${path === file ? "it" : "its directory"} (${code}).`,
        { cause },
      );
    }
  }
}
