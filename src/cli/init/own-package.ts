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
