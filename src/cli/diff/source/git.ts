import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { ReadFile } from "../../load/load.js";
import { UsageError } from "../../output/context.js";

/** Bytes of a file of a revision, at most. */
const MOST_BYTES = 512 * 1024 * 1024;

const run = promisify(execFile);

export interface GitRevision {
  /** Whether the revision has a file, by its absolute path. */
  has(path: string): Promise<boolean>;
  readonly read: ReadFile;
  /** The absolute path that a file, which is renamed since and tracked, has in the revision. */
  findEarlier(path: string): Promise<string | undefined>;
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
  const root = await runGit(["rev-parse", "--show-toplevel"], folder).catch((error: unknown) => {
    throw new UsageError(
      isMissing(error)
        ? `git is not installed, and "${name}" is neither a file nor a URL.`
        : `"${name}" is neither a file nor a URL, and ${folder} is in no git repository that could have such a revision.`,
    );
  });
  // `--end-of-options`: a name that begins with a dash is still a name.
  const commit = await runGit(
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
      runGit(["cat-file", "-e", toObject(path)], folder).then(
        () => true,
        () => false,
      ),
    async findEarlier(path) {
      const argv = ["diff", "--find-renames", "--diff-filter=R", "--name-status", "-z", commit.trim(), "--"];
      const [, ...fields] = (await runGit(argv, folderOfRoot)).split("\0");
      // In threes: the old name, the new one, and the next one's status.
      const index = fields.findIndex((field, at) => at % 3 === 1 && field === toName(path));
      const earlier = fields[index - 1];
      return earlier === undefined ? undefined : join(folderOfRoot, earlier);
    },
    read: (path) =>
      runGit(["cat-file", "blob", toObject(path)], folder).catch(() => {
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

/** @throws what `execFile` throws: `ENOENT` when git is not installed. */
export async function runGit(argv: readonly string[], cwd: string): Promise<string> {
  // Without it `git diff` would bring its index up to date, which is not ours to write.
  const whole = ["--no-optional-locks", ...argv];
  const { stdout } = await run("git", whole, { cwd, maxBuffer: MOST_BYTES });
  return stdout;
}

/** Whether git is not installed, by what {@link runGit} threw. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
