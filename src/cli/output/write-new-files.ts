import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { cannotWrite, WriteError } from "./write-error.js";

/**
 * Writes files that do not exist yet: all of them, or none. A file that another program created in the meantime is not changed.
 * @param files Absolute path to text.
 * @throws {WriteError}
 */
export async function writeNewFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const made: string[] = [];
  try {
    for (const [path, text] of files) {
      const folder = await mkdir(dirname(path), { recursive: true }).catch(cannotWrite(path));
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
