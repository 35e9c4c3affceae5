import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, posix, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { ReadFile } from "../../contract/load.js";
import { UsageError } from "../context.js";

/** Bytes of a file of a revision, at most. */
const MOST_BYTES = 512 * 1024 * 1024;

const run = promisify(execFile);

export interface GitRevision {
  /** Whether the revision has a file, by its absolute path. */
  has(path: string): Promise<boolean>;
  readonly read: ReadFile;
  /** The file as git names it: `openapi/v1.yaml`. */
  toName(path: string): string;
  /** Absolute path of the repository's folder. */
  readonly root: string;
}

/**
 * Opens a revision of the repository that a folder is in.
 * @param name As git takes it: `main`, `HEAD~3`, `v1.2.0`.
 * @throws {UsageError} when there is no such revision, no repository or no git.
 */
export async function openRevision(name: string, folder: string): Promise<GitRevision> {
  const root = await git(["rev-parse", "--show-toplevel"], folder).catch((error: unknown) => {
    throw new UsageError(
      isMissing(error)
        ? `git is not installed, and "${name}" is neither a file nor a URL.`
        : `"${name}" is neither a file nor a URL, and ${folder} is in no git repository that could have such a revision.`,
    );
  });
  // `--end-of-options`: a name that begins with a dash is still a name.
  const commit = await git(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`],
    folder,
  ).catch(() => {
    throw new UsageError(`"${name}" is neither a file, nor a URL, nor a revision that git knows.`);
  });
  const folderOfRoot = root.trim();
  const toName = (path: string) => relative(folderOfRoot, toReal(path)).split(sep).join(posix.sep);
  const toObject = (path: string) => `${commit.trim()}:${toName(path)}`;
  return {
    root: folderOfRoot,
    toName,
    has: (path) =>
      git(["cat-file", "-e", toObject(path)], folder).then(
        () => true,
        () => false,
      ),
    read: (path) =>
      git(["cat-file", "blob", toObject(path)], folder).catch(() => {
        const message = `Revision ${name} has no file ${toName(path)}`;
        throw Object.assign(new Error(message), { code: "ENOENT" });
      }),
  };
}

/** git names its root without symbolic links; a file of another revision may not be there any more. */
function toReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path
      ? path
      : `${toReal(folder)}${sep}${path.slice(folder.length).replace(/^[/\\]/, "")}`;
  }
}

async function git(argv: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run("git", [...argv], { cwd, maxBuffer: MOST_BYTES });
  return stdout;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
