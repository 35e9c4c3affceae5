import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ReadFile } from "../../load/load.js";
import { UsageError } from "../../output/context.js";
import { type GitRevision, openRevision } from "./git.js";

/** One of the two contracts, before it is read. */
export interface ContractSource {
  /** Absolute path of the root document, or its URL. */
  readonly file: string;
  /** Where files are read from; undefined: from disk. */
  readonly read?: ReadFile;
  /** How a file of it is named in outputs: `openapi/v1.yaml`, `main:openapi/v1.yaml`. */
  readonly show: (file: string) => string;
  /** Whether what is at `show` is in the working tree. */
  readonly isOnDisk: boolean;
}

/**
 * Finds what an argument names: a URL, a file, a file of a revision (`HEAD~3:openapi/v1.yaml`), or a revision (`main`) of `file`,
 * which may have had another name then.
 * @param file Absolute path that a bare revision is of; undefined when nothing says which.
 * @throws {UsageError} when it is none of them.
 */
export async function findSource(
  text: string,
  file: string | undefined,
  cwd: string,
): Promise<ContractSource> {
  const show = (path: string) => (isUrl(path) ? path : relative(cwd, path) || path);
  if (isUrl(text)) return { file: text, show, isOnDisk: false };
  const onDisk = resolve(cwd, text);
  if (isFile(onDisk)) return { file: onDisk, show, isOnDisk: true };

  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const revision = await openRevision(name, cwd);
  const below = text.slice(colon + 1);
  // As git has it: from the repository's folder, and from this one only when it says so.
  const named = colon < 0 ? file : resolve(/^\.\.?\//.test(below) ? cwd : revision.root, below);
  if (named === undefined) {
    throw new UsageError(`"${text}" is a revision; name its file too, for example ${text}:openapi/v1.yaml.`);
  }
  if (isUrl(named)) throw new UsageError(`"${text}" is a revision, and of ${named} there is only one.`);
  // What is named with its revision is meant as it is written.
  const path = colon < 0 ? await follow(named, revision) : named;
  if (path === undefined || !(await revision.has(path))) {
    throw new UsageError(`Revision ${name} has no file ${revision.toName(named)}.`);
  }
  return {
    file: path,
    read: revision.read,
    show: (one) => (isUrl(one) ? one : `${name}:${revision.toName(one)}`),
    isOnDisk: false,
  };
}

async function follow(file: string, revision: GitRevision): Promise<string | undefined> {
  return (await revision.has(file)) ? file : revision.findEarlier(file);
}

/** The file that an argument names, for the other argument to be a revision of. */
export function findFile(text: string, cwd: string): string | undefined {
  if (isUrl(text)) return undefined;
  const path = resolve(cwd, text);
  return isFile(path) ? path : undefined;
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
