import { join, relative } from "node:path";
import { UsageError } from "../output/context.js";
import { type GitRevision, isMissing, openRevision, runGit } from "../diff/source/git.js";
import type { ContractSource } from "../diff/source/source.js";
import { compareTags, endsInVersion, isRelease } from "./version-tags.js";

/** A state of the contract in git, of which the changelog tells what it changed. */
export interface Revision {
  /** As people call it: a tag, or what the range names. */
  readonly name: string;
  /** As git takes it: whole, so that no other ref of that name is meant. */
  readonly object: string;
  readonly commit: string;
  /** `2026-11-21`, of a tag. */
  readonly date?: string;
  /** Milliseconds since 1970, of the tag or commit. */
  readonly instant: number;
}

/** The history of one file. Only reads: neither the working tree nor anything of git's is changed. */
export interface History {
  readonly isShallow: boolean;
  /** Whether a commit has the file by the name that it has now: else nobody knows those that it had. */
  readonly isCommitted: boolean;
  /**
   * Version tags of a commit's history, oldest first.
   * @param options `until` a revision, without those in the history of `since`; `pattern` is of git's, for tags of another form.
   */
  listTags(options: {
    readonly since?: string;
    readonly until: string;
    readonly pattern?: string;
  }): Promise<readonly Revision[]>;
  /** @throws {UsageError} when there is no such revision. */
  find(name: string): Promise<Revision>;
  /** The file in a revision, under the name that it had then; undefined when the revision does not have it. */
  open(revision: Revision): Promise<Omit<ContractSource, "isOnDisk"> | undefined>;
}

/**
 * Opens the history of a file.
 * @param file Absolute path.
 * @throws {UsageError} when there is no git, no repository or no commit.
 */
export async function openHistory(file: string, cwd: string): Promise<History> {
  const shallow = await runGit(["rev-parse", "--is-shallow-repository"], cwd).catch((error: unknown) => {
    throw new UsageError(
      isMissing(error)
        ? "A changelog is made from git's history, and git is not installed."
        : `A changelog is made from git's history, and ${cwd} is in no git repository.`,
    );
  });
  await runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], cwd).catch(() => {
    throw new UsageError("A changelog is made from git's history, and this repository has no commit yet.");
  });
  const names = await listNames(file, cwd);
  return {
    isShallow: shallow.trim() === "true",
    isCommitted: names.length > 0,
    async listTags({ since, until, pattern }) {
      const limits = [`--merged=${until}`, ...(since === undefined ? [] : [`--no-merged=${since}`])];
      const refs = `refs/tags/${pattern ?? "*"}`;
      const listed = await runGit(["for-each-ref", `--format=${TAG_FORMAT}`, ...limits, refs], cwd);
      return listed
        .split("\n")
        .filter((line) => line !== "")
        .map(toTag)
        .filter(({ name }) => (pattern === undefined ? isRelease(name) : endsInVersion(name)))
        .sort((a, b) => compareTags(a.name, b.name));
    },
    async find(name) {
      // `--end-of-options`: a name that begins with a dash is still a name.
      const argv = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
      const commit = await runGit(argv, cwd).catch(() => {
        throw new UsageError(`"${name}" is no revision that git knows.`);
      });
      const time = await runGit(
        ["show", "--no-show-signature", "--no-patch", "--format=%ct", commit.trim()],
        cwd,
      );
      return { name, object: commit.trim(), commit: commit.trim(), instant: Number(time) * 1000 };
    },
    async open({ name, object }) {
      const revision = await openRevision(object, cwd);
      const path = await findPath([file, ...names], revision);
      if (path === undefined) return undefined;
      return { file: path, read: revision.read, show: (one) => toShown(one, name, revision) };
    },
  };
}

/** Fields are divided by what a tag's name cannot contain (git-check-ref-format). */
const TAG_FORMAT = [
  "%(refname)",
  "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)",
  "%(creatordate:unix)",
  "%(creatordate:short)",
].join(" ");

function toTag(line: string): Revision {
  const [object = "", commit = "", seconds = "", date = ""] = line.split(" ");
  return { name: object.slice("refs/tags/".length), object, commit, date, instant: Number(seconds) * 1000 };
}

/** Absolute paths that a file has had in commits, newest first: git follows a file that was renamed, from the last commit on. */
async function listNames(file: string, cwd: string): Promise<readonly string[]> {
  const root = await runGit(["rev-parse", "--show-toplevel"], cwd);
  const argv = ["log", "--follow", "--no-show-signature", "--format=", "--name-status", "-z", "--", file];
  // A file that is outside of the repository has no history there.
  const listed = await runGit(argv, cwd).catch(() => "");
  const names = new Set<string>();
  // A status, `M` or `R100`, comes before the names that it is of.
  for (const field of listed.split("\0")) {
    if (field !== "" && !/^\n?[A-Z]\d*$/.test(field)) names.add(join(root.trim(), field));
  }
  return [...names];
}

async function findPath(names: readonly string[], revision: GitRevision): Promise<string | undefined> {
  for (const name of names) if (await revision.has(name)) return name;
  return undefined;
}

function toShown(path: string, name: string, { root }: GitRevision): string {
  return /^https?:\/\//.test(path) ? path : `${name}:${relative(root, path).replaceAll("\\", "/")}`;
}
