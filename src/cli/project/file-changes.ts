import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isGenerated } from "../generate/text.js";
import { cannotWrite } from "../output/write-error.js";

/** What writing one generated file would do. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  /** `removed`: it was generated once, and nothing is generated there any more. */
  readonly kind: "created" | "changed" | "unchanged" | "removed";
  /** Text on disk; empty when there is none. */
  readonly before: string;
  /** Empty when the file is removed. */
  readonly after: string;
}

export interface FolderChanges {
  readonly changes: readonly FileChange[];
  /** Absolute paths of what was never generated. It is somebody's, and stays. */
  readonly stray: readonly string[];
}

/**
 * Compares emitted files with those in a folder, which may not exist yet.
 * @param kept Files and folders there that other commands write; they are neither stray nor stale.
 * @throws {WriteError} when something is in the way of a file.
 */
export async function planChanges(
  folder: string,
  files: ReadonlyMap<string, string>,
  kept: readonly string[] = [],
): Promise<FolderChanges> {
  const changes = await Promise.all(
    [...files].map(async ([name, after]): Promise<FileChange> => {
      const path = join(folder, name);
      const before = await readFile(path, "utf8").catch(ignoreMissing).catch(cannotWrite(path));
      const kind = before === undefined ? "created" : before === after ? "unchanged" : "changed";
      return { path, kind, before: before ?? "", after };
    }),
  );
  const stray: string[] = [];
  for (const { path, isFile } of await findOthers(folder, [...files.keys()], kept)) {
    // A link, a socket or what may not be read is not what Tenon wrote.
    const before = isFile ? await readFile(path, "utf8").catch(() => "") : "";
    if (isGenerated(before)) changes.push({ path, kind: "removed", before, after: "" });
    else stray.push(path);
  }
  return { changes, stray };
}

interface Other {
  /** Absolute path. */
  readonly path: string;
  readonly isFile: boolean;
}

/** What is in a folder and not expected there, besides folders. */
async function findOthers(
  folder: string,
  names: readonly string[],
  kept: readonly string[],
): Promise<readonly Other[]> {
  const entries =
    (await readdir(folder, { withFileTypes: true, recursive: true })
      .catch(ignoreMissing)
      .catch(cannotWrite(folder))) ?? [];
  const expected = new Set(names.map((name) => join(folder, name)));
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path }) => !expected.has(path) && !kept.includes(relative(folder, path).split(sep)[0] ?? ""))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes what changed as a set: every file is complete under a temporary name before the first one takes its place, so that
 * a full disk leaves all of them as they were. Unchanged files keep their modification time.
 * @throws {WriteError}
 */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  const written: { readonly temporary: string; readonly path: string }[] = [];
  const made: string[] = [];
  try {
    for (const { path, kind, after } of changes) {
      if (kind === "unchanged" || kind === "removed") continue;
      const folder = await mkdir(dirname(path), { recursive: true }).catch(cannotWrite(path));
      if (folder !== undefined) made.push(folder);
      const temporary = `${path}.${process.pid}.tmp`;
      written.push({ temporary, path });
      await writeFile(temporary, after).catch(cannotWrite(path));
    }
    for (const { temporary, path } of written) await rename(temporary, path).catch(cannotWrite(path));
    for (const { path, kind } of changes) {
      if (kind !== "removed") continue;
      await rm(path).catch(cannotWrite(path));
      // Fails, as it should, where something else is left in the folder.
      await rmdir(dirname(path)).catch(() => undefined);
    }
  } catch (error) {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
    throw error;
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
  if (before === "" || after === "") {
    return { added: toLines(after).length, removed: toLines(before).length };
  }
  const [from, to] = findDifference(before, after);
  const balance = new Map<string, number>();
  for (const line of toLines(after.slice(from, after.length - to)))
    balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of toLines(before.slice(from, before.length - to)))
    balance.set(line, (balance.get(line) ?? 0) - 1);
  let added = 0;
  let removed = 0;
  for (const count of balance.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

/** Lengths of the whole lines that two texts begin and end with alike: nearly all of a large file that is generated again. */
function findDifference(a: string, b: string): readonly [number, number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  start = start === 0 ? 0 : a.lastIndexOf("\n", start - 1) + 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const lineEnd = a.indexOf("\n", a.length - end);
  return [start, lineEnd === -1 ? 0 : a.length - lineEnd - 1];
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** For `catch`: what is not there is undefined. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
