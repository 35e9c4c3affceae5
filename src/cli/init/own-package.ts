import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The package.json of this package: its version, and the versions that it was tested with. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Those that a service needs too: npm reads only the overrides of the project itself. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

const path = createRequire(import.meta.url).resolve("@tenon/cli/package.json");

/** Absolute path of the folder that `@tenon/cli` is installed in, or of its sources. */
export const PACKAGE_ROOT = dirname(path);

export function readOwnPackage(): OwnPackage {
  return JSON.parse(readFileSync(path, "utf8")) as OwnPackage;
}

/**
 * Checks that the `tenon` that this command imports is installed and of the same version.
 * @returns the problem and the command to run, in one line; undefined if the versions are the same.
 */
export function findInstallProblem(): string | undefined {
  const { version } = readOwnPackage();
  const installed = readTenonVersion();
  if (installed === version) return undefined;
  const needs = `@tenon/cli ${version} needs tenon ${version}`;
  if (installed === undefined)
    return `${needs}, but no tenon is installed beside it. Run "npm install tenon@${version}".`;
  return `${needs}, but tenon ${installed} is installed. Run "npm install tenon@${version}" or "npm install --save-dev @tenon/cli@${installed}".`;
}

function readTenonVersion(): string | undefined {
  try {
    const { version } = createRequire(import.meta.url)("tenon/package.json") as { readonly version: string };
    return version;
  } catch {
    return undefined;
  }
}
