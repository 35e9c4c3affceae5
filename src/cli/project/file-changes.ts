import { chmod, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isGenerated } from "../generate/text.js";
import { cannotRead, cannotWrite, createFolder, ignoreMissing } from "../output/write-files.js";

/** Name of the changelog in a folder of generated files. */
export const CHANGELOG_FILE = "changelog.json";

/** Files and folders that other commands write into a folder of generated files; they are neither stray nor removed. */
const KEPT = [CHANGELOG_FILE, "docs"];

/** The effect of writing one generated file. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  /** `removed`: an earlier version of the contract generated it. */
  readonly kind: "created" | "changed" | "unchanged" | "removed";
  /** Text on disk; empty if there is none. */
  readonly before: string;
  /** New text; empty if the file is removed. */
  readonly after: string;
}

export interface FolderChanges {
  readonly changes: readonly FileChange[];
  /** Absolute paths of files that Tenon did not generate; they are not removed. */
  readonly stray: readonly string[];
}

/**
 * Compares emitted files with those in a folder, which may not exist yet.
 * @throws {FileError} if a file cannot be read, or not written there.
 */
export async function planChanges(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<FolderChanges> {
  const changes = await Promise.all(
    [...files].map(async ([name, after]): Promise<FileChange> => {
      const path = join(folder, name);
      const before = await readFile(path, "utf8").catch(ignoreMissing).catch(cannotRead(path));
      const kind = before === undefined ? "created" : isSameText(before, after) ? "unchanged" : "changed";
      return { path, kind, before: before ?? "", after };
    }),
  );
  const stray: string[] = [];
  for (const { path, isFile } of await findOthers(folder, [...files.keys()])) {
    // Tenon never writes a link, a socket or an unreadable file.
    const before = isFile ? await readFile(path, "utf8").catch(() => "") : "";
    if (isGenerated(before)) changes.push({ path, kind: "removed", before, after: "" });
    else stray.push(path);
  }
  return { changes, stray };
}

/** Compares a file with the text that is generated for it. Git on Windows may have changed the ends of its lines. */
export function isSameText(onDisk: string, generated: string): boolean {
  return onDisk === generated || onDisk.replaceAll("\r\n", "\n") === generated;
}

async function findOthers(folder: string, names: readonly string[]) {
  const entries =
    (await readdir(folder, { withFileTypes: true, recursive: true })
      .catch(ignoreMissing)
      .catch(cannotRead(folder))) ?? [];
  const expected = new Set(names.map((name) => join(folder, name)));
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path }) => !expected.has(path) && !KEPT.includes(relative(folder, path).split(sep)[0] ?? ""))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes all changes as a set. Every file is complete under a temporary name before the first one is renamed, so that a full disk
 * changes none of them. Unchanged files keep their modification time.
 * @throws {WriteError}
 */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  const written: { readonly temporary: string; readonly path: string }[] = [];
  const made: string[] = [];
  try {
    for (const { path, kind, after } of changes) {
      if (kind === "unchanged" || kind === "removed") continue;
      const folder = await createFolder(dirname(path)).catch(cannotWrite(path));
      if (folder !== undefined) made.push(folder);
      const temporary = `${path}.${process.pid}.tmp`;
      written.push({ temporary, path });
      await writeFile(temporary, after).catch(cannotWrite(path));
      // A script stays executable.
      if (kind === "changed") await chmod(temporary, (await stat(path)).mode).catch(cannotWrite(path));
    }
    for (const { temporary, path } of written) await rename(temporary, path).catch(cannotWrite(path));
    for (const { path, kind } of changes) {
      if (kind !== "removed") continue;
      await rm(path).catch(cannotWrite(path));
      // Fails if the folder has other files, which is intended.
      await rmdir(dirname(path)).catch(() => undefined);
    }
  } catch (error) {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await Promise.all(written.map(({ temporary }) => rm(temporary, { force: true })));
  }
}

/** Counts the lines that only one of two texts has. Moved lines are not counted. */
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

/** Finds the lengths of the common lines at the start and end of two texts, which are nearly all lines of a large file. */
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
