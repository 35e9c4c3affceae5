import { join } from "node:path";
import {
  type ContractSource,
  findCommit,
  isMissing,
  openRevision,
  runGit,
  toSource,
} from "../diff/source/index.js";
import { UsageError } from "../output/context.js";
import { compareTags, endsInVersion, isRelease } from "./version-tags.js";

/** A revision of the contract in git. */
export interface Revision {
  /** A tag, or the name in the range. */
  readonly name: string;
  /** The full name of the git object, which no branch of the same name can shadow. */
  readonly object: string;
  readonly commit: string;
  /** Date of a tag: `2026-11-21`. */
  readonly date?: string;
  /** Time of the tag or commit, in milliseconds since 1970. */
  readonly instant: number;
}

/** The history of one file. Read-only: changes neither the working tree nor the repository. */
export interface History {
  readonly isShallow: boolean;
  /** A commit has the file under its current name. Otherwise its earlier names are unknown. */
  readonly isCommitted: boolean;
  /**
   * Lists the version tags in the history of `until`, without those in the history of `since`, oldest first.
   * @param options `pattern` is a git pattern for tags of another form.
   */
  listTags(options: {
    readonly since: string | undefined;
    readonly until: string;
    readonly pattern: string | undefined;
  }): Promise<readonly Revision[]>;
  /** Finds a revision by name. @throws {UsageError} when there is none. */
  find(name: string): Promise<Revision>;
  /** Opens the file in a revision, under its name at the time. @returns undefined if the revision does not have it. */
  open(revision: Revision): Promise<ContractSource | undefined>;
}

/**
 * Opens the history of a file.
 * @param file Absolute path.
 * @throws {UsageError} when git, the repository or a commit is missing.
 */
export async function openHistory(file: string, cwd: string): Promise<History> {
  const shallow = await runGit(["rev-parse", "--is-shallow-repository"], cwd).catch((error: unknown) => {
    throw new UsageError(
      isMissing(error)
        ? "tenon changelog reads the git history, but git is not installed."
        : `tenon changelog reads the git history, but ${cwd} is not in a git repository.`,
    );
  });
  await runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], cwd).catch(() => {
    throw new UsageError("tenon changelog reads the git history, but this repository has no commit yet.");
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
      const commit = await findCommit(name, cwd, `"${name}" is not a git revision.`);
      const time = await runGit(["show", "--no-show-signature", "--no-patch", "--format=%ct", commit], cwd);
      return { name, object: commit, commit, instant: Number(time) * 1000 };
    },
    async open({ name, object }) {
      const revision = await openRevision(object, cwd);
      for (const path of [file, ...names])
        if (await revision.has(path)) return toSource(path, name, revision);
      return undefined;
    },
  };
}

/** Fields are separated by spaces, which names of tags cannot contain (git-check-ref-format). */
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

/** Lists the absolute paths of a file in commits, newest first; git follows renames from the last commit on. */
async function listNames(file: string, cwd: string): Promise<readonly string[]> {
  const root = await runGit(["rev-parse", "--show-toplevel"], cwd);
  const argv = ["log", "--follow", "--no-show-signature", "--format=", "--name-status", "-z", "--", file];
  // A file outside of the repository has no history there.
  const listed = await runGit(argv, cwd).catch(() => "");
  const names = new Set<string>();
  // A status such as `M` or `R100` comes before its names.
  for (const field of listed.split("\0")) {
    if (field !== "" && !/^\n?[A-Z]\d*$/.test(field)) names.add(join(root.trim(), field));
  }
  return [...names];
}
