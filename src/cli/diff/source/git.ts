import { execFile } from "node:child_process";
import { join, posix, relative, sep } from "node:path";
import { promisify } from "node:util";
import { type ReadFile, toReal } from "../../load/index.js";
import { UsageError } from "../../output/context.js";

/** Largest size of a file in a revision, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

const run = promisify(execFile);

export interface GitRevision {
  /** Tests whether the revision contains the file at an absolute path. */
  readonly has: (path: string) => Promise<boolean>;
  readonly read: ReadFile;
  /** The absolute path in the revision of a tracked file that was renamed since. */
  readonly findEarlier: (path: string) => Promise<string | undefined>;
  /** The name of a file in git: `openapi/v1.yaml`. */
  readonly toName: (path: string) => string;
  /** Absolute path of the repository. */
  readonly root: string;
}

/**
 * Opens a revision of the repository of a folder.
 * @param name Any revision that git understands: `main`, `HEAD~3`, `v1.2.0`.
 * @throws {UsageError} when the revision, the repository or git is missing.
 */
export async function openRevision(name: string, folder: string): Promise<GitRevision> {
  const root = await runGit(["rev-parse", "--show-toplevel"], folder).catch((error: unknown) => {
    throw new UsageError(
      isMissing(error)
        ? `git is not installed, and "${name}" is neither a file nor a URL.`
        : `"${name}" is neither a file nor a URL, and ${folder} is not in a git repository.`,
    );
  });
  const commit = await findCommit(name, folder, `"${name}" is not a file, a URL or a git revision.`);
  const folderOfRoot = root.trim();
  const toName = (path: string) => relative(folderOfRoot, toReal(path)).split(sep).join(posix.sep);
  const toObject = (path: string) => `${commit}:${toName(path)}`;
  // Also true for a file that git cannot read.
  const has = (path: string) =>
    runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", toObject(path)], folder).then(
      () => true,
      () => false,
    );
  return {
    root: folderOfRoot,
    toName,
    has,
    async findEarlier(path) {
      const argv = ["diff", "--find-renames", "--diff-filter=R", "--name-status", "-z", commit, "--"];
      const output = await runGit(argv, folderOfRoot).catch((error: unknown) => {
        throw new UsageError(`git cannot compare the files with ${name}: ${toReason(error)}.`);
      });
      const [, ...fields] = output.split("\0");
      // Groups of three: old name, new name, and the status of the next pair.
      const index = fields.findIndex((field, at) => at % 3 === 1 && field === toName(path));
      const earlier = fields[index - 1];
      return earlier === undefined ? undefined : join(folderOfRoot, earlier);
    },
    read: (path) =>
      runGit(["cat-file", "blob", toObject(path)], folder).catch(async (error: unknown) => {
        if (await has(path)) throw new Error(`git cannot read it: ${toReason(error)}`);
        const message = `Revision ${name} has no file ${toName(path)}`;
        throw Object.assign(new Error(message), { code: "ENOENT" });
      }),
  };
}

/** Finds the commit of a revision. @throws {UsageError} with the message when there is none. */
export async function findCommit(name: string, folder: string, message: string): Promise<string> {
  // Without `--end-of-options` a name that begins with a dash would be an option.
  const argv = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const commit = await runGit(argv, folder).catch(() => {
    throw new UsageError(message);
  });
  return commit.trim();
}

/** Runs git and returns its output. @throws `ENOENT` when git is not installed. */
export async function runGit(argv: readonly string[], cwd: string): Promise<string> {
  // Otherwise `git diff` would refresh the index of the user's repository.
  const whole = ["--no-optional-locks", ...argv];
  const { stdout } = await run("git", whole, { cwd, maxBuffer: MAX_BYTES });
  return stdout;
}

/** `index file smaller than expected` */
function toReason(error: unknown): string {
  const { message, stderr = "" } = error as Error & { readonly stderr?: string };
  const [first = ""] = stderr.trim().split("\n");
  return first === "" ? message : first.replace(/^(?:fatal|error): /, "");
}

/** Tests whether an error of {@link runGit} means that git is not installed. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
