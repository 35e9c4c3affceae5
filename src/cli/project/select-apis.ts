import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type ApiConfig, loadApis } from "./config.js";
import { findNearest } from "../load/nearest.js";
import { UsageError } from "../output/context.js";

const CONFIG = "redocly.yaml";

/**
 * The APIs of redocly.yaml.
 * @throws {UsageError} when there is no such file, which says where there is one.
 * @throws {ContractError} when it cannot be used.
 */
export async function loadProject(cwd: string): Promise<readonly ApiConfig[]> {
  if (existsSync(join(cwd, CONFIG))) return loadApis(cwd);
  const above = findAbove(dirname(cwd));
  throw new UsageError(
    above === undefined
      ? `There is no ${CONFIG} in this folder, which names the contracts; "init" makes a service that has one.`
      : `There is no ${CONFIG} in this folder; run this in ${relative(cwd, above)}, which has one.`,
  );
}

/**
 * The APIs of redocly.yaml that a command is about: those named, or all.
 * @throws {UsageError} when one is not there.
 * @throws {ContractError} when redocly.yaml cannot be used.
 */
export async function selectApis(names: readonly string[], cwd: string): Promise<readonly ApiConfig[]> {
  return chooseApis(await loadProject(cwd), names);
}

/** The same of APIs that are loaded already. */
export function chooseApis(apis: readonly ApiConfig[], names: readonly string[]): readonly ApiConfig[] {
  const known = apis.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    if (isDeclared(unknown, apis)) {
      throw new UsageError(
        `API "${unknown}" has no output: add x-tenon: { output: generated/${unknown} } to it in redocly.yaml.`,
      );
    }
    const near = findNearest(unknown, known);
    const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
    throw new UsageError(
      `Unknown API "${unknown}": redocly.yaml has an output for ${known.join(", ")}.${hint}`,
    );
  }
  return apis.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Whether redocly.yaml has an API of that name all the same: for the docs, or for Redocly alone. */
function isDeclared(name: string, [api]: readonly ApiConfig[]): boolean {
  const parsed = api?.config.document?.parsed as { readonly apis?: object } | undefined;
  return Object.hasOwn(parsed?.apis ?? {}, name);
}

function findAbove(folder: string): string | undefined {
  if (existsSync(join(folder, CONFIG))) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder));
}
