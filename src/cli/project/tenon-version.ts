import { createRequire } from "node:module";
import { readOwnPackage } from "../init/index.js";

/**
 * Checks that the `tenon` that this command imports is installed and of the same version.
 * @returns the problem and the command to run, in one line; undefined if the versions are the same.
 */
export function findVersionProblem(): string | undefined {
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
