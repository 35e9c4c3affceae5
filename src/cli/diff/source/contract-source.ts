import { dirname, resolve } from "node:path";
import { type Config, createConfig } from "@redocly/openapi-core";
import { parseDocument } from "yaml";
import { getMembers, toNode, toStrings, toText } from "tenon/core/document";
import {
  buildWithoutProblems,
  isFile,
  loadContract,
  type LoadedContract,
  type ReadFile,
} from "../../load/index.js";
import { UsageError } from "../../output/context.js";
import type { LocatedContract } from "../diff-contracts.js";
import { type GitRevision, openRevision } from "./git.js";
import { showPath } from "../../output/show-path.js";

/** A contract before it is read. */
export interface ContractSource {
  /** Absolute path of the root document, or its URL. */
  readonly file: string;
  /** Reads its files. Default: from disk. */
  readonly read?: ReadFile;
  /** Names one of its files in outputs: `openapi/v1.yaml`, `main:openapi/v1.yaml`. */
  readonly show: (file: string) => string;
  /** The contract is in the working tree. */
  readonly isOnDisk: boolean;
}

/**
 * Finds the contract that an argument names: a URL, a file, a file of a revision (`HEAD~3:openapi/v1.yaml`), or a revision
 * (`main`) of `file`, which may have had another name then.
 * @param file Absolute path that a bare revision refers to. Undefined: unknown.
 * @throws {UsageError} when the argument names none of these.
 */
export async function findSource(
  text: string,
  file: string | undefined,
  cwd: string,
): Promise<ContractSource> {
  const show = (path: string) => (isUrl(path) ? path : showPath(path, cwd) || path);
  if (isUrl(text)) return { file: text, show, isOnDisk: false };
  const onDisk = resolve(cwd, text);
  if (isFile(onDisk)) return { file: onDisk, show, isOnDisk: true };

  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const revision = await openRevision(name, cwd);
  const below = text.slice(colon + 1);
  // As in git, paths start at the repository, and at this folder only when they begin with a dot.
  const named = colon < 0 ? file : resolve(/^\.\.?\//.test(below) ? cwd : revision.root, below);
  if (named === undefined) {
    throw new UsageError(`"${text}" is a revision; name its file too, for example ${text}:openapi/v1.yaml.`);
  }
  if (isUrl(named))
    throw new UsageError(`"${text}" is a git revision, but ${named} is a URL without revisions.`);
  // Only a bare revision follows renames.
  const path = colon < 0 ? await follow(named, revision) : named;
  if (path === undefined || !(await revision.has(path))) {
    throw new UsageError(`Revision ${name} has no file ${revision.toName(named)}.`);
  }
  return toSource(path, name, revision);
}

/** The source of a file in a revision. @param name Name of the revision in outputs. */
export function toSource(file: string, name: string, { read, toName }: GitRevision): ContractSource {
  return { file, read, show: (one) => (isUrl(one) ? one : `${name}:${toName(one)}`), isOnDisk: false };
}

async function follow(file: string, revision: GitRevision): Promise<string | undefined> {
  return (await revision.has(file)) ? file : revision.findEarlier(file);
}

/** Finds the file that an argument names; the other argument may be a revision of it. */
export function findFile(text: string, cwd: string): string | undefined {
  if (isUrl(text)) return undefined;
  const path = resolve(cwd, text);
  return isFile(path) ? path : undefined;
}

/** A contract for a comparison. */
export interface ReadContract extends LocatedContract {
  readonly loaded: LoadedContract;
  /** Its name in outputs. */
  readonly name: string;
}

/**
 * Reads a contract for a comparison, without linting it.
 * @throws {ContractError} when it cannot be read.
 */
export async function readContract(
  source: ContractSource,
  api: { readonly root: string; readonly config: Config } | undefined,
): Promise<ReadContract> {
  const config = api?.config ?? (await createConfig({}));
  const { file, read } = source;
  // Other files, such as a bundled contract, have none.
  const onDisk = file === api?.root ? undefined : [];
  const overlays = read === undefined ? onDisk : await listRevisionOverlays(file, config, read);
  const options = { lint: false, overlays, ...(read && { read }) };
  const loaded = await loadContract(source.file, config, options);
  const { locate } = loaded;
  return {
    loaded,
    name: source.show(source.file),
    contract: await buildWithoutProblems(loaded),
    locate: (pointer) => {
      const { file, line, pointer: written } = locate(pointer);
      return { file: source.show(file), line, pointer: written };
    },
  };
}

/** Lists the overlays that redocly.yaml named in a revision. Its file is read as it was then, and so are they. */
async function listRevisionOverlays(
  root: string,
  { configPath }: Config,
  read: ReadFile,
): Promise<readonly string[]> {
  if (configPath === undefined) return [];
  const text = await read(configPath).catch(() => "");
  const apis = getMembers({ node: toNode(parseDocument(text).toJS()), pointer: "#" }, "apis");
  const folder = dirname(configPath);
  const own = apis.find(({ node }) => resolve(folder, toText(node["root"]) ?? "") === root);
  const names = toStrings(toNode(own?.node["x-tenon"])["overlays"]);
  return names.map((name) => (isUrl(name) ? name : resolve(folder, name)));
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}
