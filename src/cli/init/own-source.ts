import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../output/context.js";

/** The versions of `tenon` and `@tenon/cli` in a package.json. */
export interface OwnSource {
  readonly tenon: string;
  readonly cli: string;
}

/**
 * Finds the source of the running Tenon for a new project: the same version from the registry, the tarball that npm installed it
 * from with `tenon-X.tgz` beside it, or this working copy. npm notes where each package came from.
 * @param root Absolute path of the folder that `@tenon/cli` is in.
 * @param folder Absolute path of the project's folder, which `file:` paths are relative to.
 * @throws {UsageError} when `tenon-X.tgz` is missing beside `tenon-cli-X.tgz`.
 */
export function findOwnSource(root: string, folder: string, version: string): OwnSource {
  const toFile = (path: string) => `file:${relative(folder, path).split(sep).join("/")}`;
  // <packages>/@tenon/cli
  const packages = dirname(dirname(root));
  if (basename(packages) !== "node_modules")
    return { tenon: toFile(join(dirname(root), "tenon")), cli: toFile(root) };
  const { resolved = "" } = readLock(packages).packages?.["node_modules/@tenon/cli"] ?? {};
  if (!resolved.startsWith("file:")) return { tenon: version, cli: version };
  const cli = resolve(dirname(packages), resolved.slice("file:".length));
  const tenon = join(dirname(cli), basename(cli).replace(/^tenon-cli-/, "tenon-"));
  if (tenon === cli || !existsSync(tenon))
    throw new UsageError(`${basename(cli)} needs tenon-${version}.tgz in the same folder: ${dirname(cli)}`);
  return { tenon: toFile(tenon), cli: toFile(cli) };
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/** Other package managers have no such file. */
function readLock(packages: string): Lock {
  try {
    return JSON.parse(readFileSync(join(packages, ".package-lock.json"), "utf8")) as Lock;
  } catch {
    return {};
  }
}
