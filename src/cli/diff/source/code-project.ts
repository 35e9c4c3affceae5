import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { ApiConfig } from "../../project/config.js";
import type { CodeProject } from "../../impact/index.js";
import type { ContractSource } from "./contract-source.js";

/** Finds the project of an API's code by the nearest tsconfig.json of its main module. @returns the reason when there is none. */
export function findCodeProject(
  api: ApiConfig | undefined,
  { file, show }: Pick<ContractSource, "file" | "show">,
  cwd: string,
): CodeProject | string {
  if (api?.root !== file) return `redocly.yaml has no API with the contract ${show(file)}`;
  const folder = api.main === undefined ? (api.handlers ?? cwd) : dirname(api.main);
  const configFile = findAbove(folder, cwd);
  if (configFile === undefined)
    return `there is no tsconfig.json in ${relative(cwd, folder) || "this folder"} or above it`;
  return { configFile, output: api.output, cwd };
}

/** Finds the nearest tsconfig.json in a folder of the project or above it. */
function findAbove(folder: string, cwd: string): string | undefined {
  const path = join(folder, "tsconfig.json");
  if (existsSync(path)) return path;
  return folder === cwd ? undefined : findAbove(dirname(folder), cwd);
}
