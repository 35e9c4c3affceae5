import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toGeneratedVersion } from "../../src/tenon/core/version/index.js";
import { findFiles } from "./git.js";

/** The part of package.json, and of an entry of package-lock.json, that a release reads and writes. */
export interface Manifest {
  version: string;
  readonly private?: boolean;
  readonly repository?: unknown;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

export function readManifest(root: string, folder = ""): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

/**
 * Writes a version into the manifests of all workspaces, package-lock.json, the constant of `tenon`, and the texts that name the
 * packages' files. Where the version may break generated code, also into the generated code.
 * @param root Absolute path of the repository.
 */
export function writeVersion(root: string, version: string): void {
  const { version: before, workspaces = [] } = readManifest(root);
  const folders = ["", ...workspaces];
  for (const folder of folders)
    writeJson(join(root, folder, "package.json"), setVersion(readManifest(root, folder), version));
  const lockFile = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(lockFile, "utf8")) as Lock;
  lock.version = version;
  for (const folder of folders) setVersion(lock.packages[folder], version);
  writeJson(lockFile, lock);

  const replace = (from: string, to: string, ...paths: readonly string[]) => {
    for (const path of findFiles(root, from, paths).map((file) => join(root, file)))
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
  };
  replace(`VERSION = "${before}"`, `VERSION = "${version}"`, "src/tenon/core/version/index.ts");
  for (const name of ["tenon", "tenon-cli"])
    replace(`${name}-${before}.tgz`, `${name}-${version}.tgz`, "*.md");
  const [from, to] = [before, version].map((each) => `tenon: "${toGeneratedVersion(each)}"`) as [
    string,
    string,
  ];
  replace(from, to, "*/server.ts", "*/client.ts");
}

interface Lock {
  version: string;
  readonly packages: Readonly<Record<string, Manifest | undefined>>;
}

/** Changes the version of a manifest, and of the packages of this repository that it depends on. */
function setVersion(manifest: Manifest | undefined, version: string): Manifest | undefined {
  if (manifest === undefined) return undefined;
  manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies])
    for (const name of ["tenon", "@tenon/cli"])
      if (dependencies?.[name] !== undefined) dependencies[name] = version;
  return manifest;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
