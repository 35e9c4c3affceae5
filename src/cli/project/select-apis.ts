import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createConfig } from "@redocly/openapi-core";
import { type ApiConfig, loadApis } from "./config.js";
import { isFile } from "../load/index.js";
import { UsageError } from "../output/context.js";
import { toHint } from "../output/nearest.js";
import { showPath } from "../output/show-path.js";

const CONFIG = "redocly.yaml";

/**
 * Loads the APIs of redocly.yaml.
 * @throws {UsageError} if the file does not exist; the message names the nearest parent folder that has one.
 * @throws {ContractError} if it is invalid.
 */
export async function loadProject(cwd: string): Promise<readonly ApiConfig[]> {
  if (existsSync(join(cwd, CONFIG))) return loadApis(cwd);
  const above = findAbove(dirname(cwd));
  throw new UsageError(
    above === undefined
      ? `There is no ${CONFIG} in this folder. Create one that names the contracts, or create a service with "init".`
      : `There is no ${CONFIG} in this folder; run this in ${showPath(above, cwd)}, which has one.`,
  );
}

/**
 * Loads the named APIs of redocly.yaml, or all without names.
 * @throws {UsageError} if one does not exist.
 * @throws {ContractError} if redocly.yaml is invalid.
 */
export async function selectApis(names: readonly string[], cwd: string): Promise<readonly ApiConfig[]> {
  return chooseApis(await loadProject(cwd), names);
}

/** Selects the named APIs from those that are already loaded. */
export function chooseApis(apis: readonly ApiConfig[], names: readonly string[]): readonly ApiConfig[] {
  const unknown = names.find((name) => apis.every((api) => api.name !== name));
  if (unknown !== undefined) {
    if (isDeclared(unknown, apis)) {
      throw new UsageError(
        `API "${unknown}" has no output: add x-tenon: { output: generated/${unknown} } to it in redocly.yaml.`,
      );
    }
    throw createUnknownApiError(unknown, apis, "redocly.yaml has an output for");
  }
  return apis.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** @param start Text before the names of the known APIs. */
export function createUnknownApiError(
  name: string,
  apis: readonly { readonly name: string }[],
  start: string,
): UsageError {
  const known = apis.map((api) => api.name);
  const { hint } = toHint(name, known);
  const more = hint === undefined ? "" : `\n(${hint})`;
  return new UsageError(`Unknown API "${name}": ${start} ${known.join(", ")}.${more}`);
}

/**
 * Selects the named API, or the only one without a name.
 * @throws {UsageError} if it does not exist, or there are several.
 */
export function chooseApi(apis: readonly ApiConfig[], name?: string): ApiConfig {
  const [api, other] = name === undefined ? apis : chooseApis(apis, [name]);
  if (api !== undefined && other === undefined) return api;
  throw new UsageError(
    `redocly.yaml names ${apis.map((one) => one.name).join(", ")}; choose one with --api.`,
  );
}

/** Tests whether redocly.yaml has an API of that name without an output, which only the docs or Redocly use. */
function isDeclared(name: string, [api]: readonly ApiConfig[]): boolean {
  const parsed = api?.config.document?.parsed as { readonly apis?: object } | undefined;
  return Object.hasOwn(parsed?.apis ?? {}, name);
}

function findAbove(folder: string): string | undefined {
  if (existsSync(join(folder, CONFIG))) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder));
}

/**
 * Finds a contract by its file or URL. It is linted only with the required rules, not those of a redocly.yaml.
 * @returns undefined for a text that can only be the name of an API, also if a folder has this name.
 * @throws {UsageError} if the file does not exist.
 */
export async function findFile(
  named: string,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config"> | undefined> {
  const isUrl = /^https?:\/\//.test(named);
  const path = resolve(cwd, named);
  if (isUrl || isFile(path)) return { root: isUrl ? named : path, config: await createConfig({}) };
  if (!/[./\\]/.test(named) && existsSync(join(cwd, CONFIG))) return undefined;
  throw new UsageError(
    existsSync(path) ? `${named} is a folder; name a file in it.` : `There is no file ${named}.`,
  );
}

/**
 * Finds a contract by an API of redocly.yaml, a file or a URL; the only API without a name.
 * @throws {UsageError} if it does not exist, or there are several.
 */
export async function findContract(
  named: string | undefined,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config">> {
  const file = named === undefined ? undefined : await findFile(named, cwd);
  if (file !== undefined) return file;
  if (!existsSync(join(cwd, CONFIG))) throw createUnnamedError();
  return chooseApi(await loadProject(cwd), named);
}

/** Creates the error for a command without a contract. */
export function createUnnamedError(): UsageError {
  return new UsageError(
    `There is no ${CONFIG} in this folder. Name a contract, for example --api openapi.yaml.`,
  );
}

/**
 * Finds the tsconfig.json of an API's code: the nearest one of its main module, else of its handlers.
 * @returns undefined if there is none in the project.
 */
export function findTsconfig(
  { main, handlers }: Pick<ApiConfig, "main" | "handlers">,
  cwd: string,
): string | undefined {
  for (let folder = main === undefined ? (handlers ?? cwd) : dirname(main); ; folder = dirname(folder)) {
    const path = join(folder, "tsconfig.json");
    if (existsSync(path)) return path;
    if (folder === cwd || folder === dirname(folder)) return undefined;
  }
}
