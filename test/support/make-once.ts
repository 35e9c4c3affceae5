import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

const DAY_MS = 86_400_000;

/**
 * Makes a folder unless it exists. It is made beside its place, since another test may make the same at the same time.
 * Folders beside it that were made more than a day ago are removed: they are of sources that have changed since.
 */
export function makeOnce(folder: string, make: (making: string) => void): void {
  if (existsSync(folder)) return;
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  for (const path of readdirSync(cache).map((name) => join(cache, name)))
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - DAY_MS)
      rmSync(path, { recursive: true, force: true });
  const making = mkdtempSync(join(cache, "making-"));
  // Tests run it as other users, too.
  chmodSync(making, 0o755);
  make(making);
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
