import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own in memory, which can be filled to the last byte. */
export interface SmallDisk {
  readonly path: string;
  fill(): void;
  /** Makes room again. */
  clear(): void;
  remove(): void;
}

/** @returns why there can be none, when there can: it takes root, on Linux. */
export function createSmallDisk(megabytes: number): SmallDisk | string {
  const path = mkdtempSync(join(tmpdir(), "petstore-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path];
  const { status, stderr, error } = spawnSync("mount", options, { encoding: "utf8" });
  if (status !== 0) {
    rmdirSync(path);
    return error?.message ?? stderr.trim();
  }
  chmodSync(path, 0o755);
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const file = openSync(filler, "a");
      for (let size = 2 ** 20; size >= 1;) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size /= 4;
        }
      }
      closeSync(file);
    },
    clear() {
      rmSync(filler, { force: true });
    },
    remove() {
      // Whoever still has a file open is ended before; `-l` is for what is about to.
      spawnSync("umount", ["-l", path]);
      rmdirSync(path);
    },
  };
}
