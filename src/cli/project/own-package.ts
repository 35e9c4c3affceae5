import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

/** What this package's package.json says: its version, and the versions that it was tested with. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

const path = createRequire(import.meta.url).resolve("@tenon/cli/package.json");

/** Absolute path of the folder that `@tenon/cli` is installed in, or of its sources. */
export const PACKAGE_ROOT = dirname(path);

export function readOwnPackage(): OwnPackage {
  return JSON.parse(readFileSync(path, "utf8")) as OwnPackage;
}
