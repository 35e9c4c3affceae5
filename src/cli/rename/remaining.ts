import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { runGit } from "../diff/source/index.js";
import type { EditedFile } from "../project/index.js";

/** A line that still has the old name. */
export interface RemainingPlace {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Larger files are data, in bytes. */
const MOST_BYTES = 1_000_000;

interface RemainingOptions {
  readonly from: string;
  readonly edited: readonly EditedFile[];
  /** Absolute paths of the folders of generated files. */
  readonly outputs: readonly string[];
  readonly cwd: string;
}

/**
 * Finds the lines of a project that have the old name after a rename: README files, other folders' code, comments and texts. Only
 * their author knows whether they mean the operation. Installed packages and files that git ignores are left out.
 */
export async function findRemaining(options: RemainingOptions): Promise<readonly RemainingPlace[]> {
  const { from, edited, outputs, cwd } = options;
  const name = new RegExp(String.raw`(?<![\w$])${from.replaceAll("$", String.raw`\$`)}(?![\w$])`);
  const isGenerated = (path: string) => outputs.some((output) => path.startsWith(output + sep));
  const after = new Map(edited.map((file) => [file.path, file.after]));
  return (await listFiles(cwd))
    .filter((path) => !isGenerated(path))
    .flatMap((file) =>
      (after.get(file) ?? readText(file))
        .split(/\r?\n/)
        .flatMap((text, index) => (name.test(text) ? [{ file, line: index + 1, text: text.trim() }] : [])),
    );
}

async function listFiles(cwd: string): Promise<readonly string[]> {
  try {
    const listed = await runGit(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd);
    const names = listed.split("\0").filter((name) => name !== "" && !/(?:^|\/)node_modules\//.test(name));
    return [...new Set(names)].sort().map((name) => join(cwd, name));
  } catch {
    // Git is not installed, or the project is in no repository.
    return walk(cwd);
  }
}

function walk(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return [path];
      const isSkipped = !entry.isDirectory() || entry.name === "node_modules" || entry.name.startsWith(".");
      return isSkipped ? [] : walk(path);
    });
}

/** Empty for a large file, bytes, a link, and what cannot be read. */
function readText(path: string): string {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MOST_BYTES) return "";
    const text = readFileSync(path, "utf8");
    return text.includes("\0") ? "" : text;
  } catch {
    return "";
  }
}
