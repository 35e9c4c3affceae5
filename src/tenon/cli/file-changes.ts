import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What writing one generated file would do. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  readonly kind: "created" | "changed" | "unchanged";
  /** Text on disk; empty when there is none. */
  readonly before: string;
  readonly after: string;
}

/** Compares emitted files with those in a folder, which may not exist yet. */
export async function planChanges(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly FileChange[]> {
  return Promise.all(
    [...files].map(async ([name, after]) => {
      const path = join(folder, name);
      const before = await readFile(path, "utf8").catch(ignoreMissing);
      const kind = before === undefined ? "created" : before === after ? "unchanged" : "changed";
      return { path, kind, before: before ?? "", after } as const;
    }),
  );
}

/** Absolute paths of everything in a folder that was not generated into it. */
export async function findStray(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const entries =
    (await readdir(folder, { withFileTypes: true, recursive: true }).catch(ignoreMissing)) ?? [];
  const expected = new Set([...files.keys()].map((name) => join(folder, name)));
  const folders = new Set([...expected].map((path) => dirname(path)));
  return entries
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
    .filter(({ path, isFolder }) => (isFolder ? !folders.has(path) : !expected.has(path)))
    .map(({ path }) => path)
    .sort();
}

/**
 * Writes what changed as a set: every file is complete under a temporary name before the first one takes its place, so that
 * a full disk leaves all of them as they were. Unchanged files keep their modification time.
 */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  const written: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const { path, kind, after } of changes) {
      if (kind === "unchanged") continue;
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.tmp`;
      written.push({ temporary, path });
      await writeFile(temporary, after);
    }
    for (const { temporary, path } of written) await rename(temporary, path);
  } finally {
    await Promise.all(written.map(({ temporary }) => rm(temporary, { force: true })));
  }
}

/**
 * Counts the lines that only one of two texts has. A line that merely moved is not counted.
 */
export function countLines(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const balance = new Map<string, number>();
  for (const line of toLines(after)) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of toLines(before)) balance.set(line, (balance.get(line) ?? 0) - 1);
  let added = 0;
  let removed = 0;
  for (const count of balance.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** For `catch`: what is not there is undefined. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
