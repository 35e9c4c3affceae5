import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/**
 * Where a folder's package.json finds the very Tenon that runs, when that is not a registry: `file:../tenon-0.1.0.tgz`. npm
 * notes beside the packages that it installs where each came from. What is not below a `node_modules` is a working copy.
 * @param root Absolute path of the folder that Tenon is in.
 * @param folder Absolute path of the folder that the answer is relative to.
 * @returns undefined when it came from a registry, or nobody knows.
 */
export function findOwnSource(root: string, folder: string): string | undefined {
  const packages = dirname(root);
  if (basename(packages) !== "node_modules") return toFile(root, folder);
  const resolved = readLock(join(packages, ".package-lock.json")).packages?.["node_modules/tenon"]?.resolved;
  if (resolved?.startsWith("file:") !== true) return undefined;
  return toFile(resolve(dirname(packages), resolved.slice("file:".length)), folder);
}

function toFile(path: string, folder: string): string {
  return `file:${relative(folder, path).split(sep).join("/")}`;
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/** Other package managers have no such file. */
function readLock(path: string): Lock {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Lock;
  } catch {
    return {};
  }
}
