import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a folder unless it exists. It is made beside its place, since another test may make the same at the same time. */
export function makeOnce(folder: string, make: (making: string) => void): void {
  if (existsSync(folder)) return;
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
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
