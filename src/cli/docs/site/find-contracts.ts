import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Config } from "@redocly/openapi-core";
import { findFile, loadNamedApis, type NamedApi } from "../../project/index.js";
import { findNearest } from "../../output/nearest.js";
import { UsageError } from "../../output/context.js";

/** A contract to write the docs of. */
export interface DocumentedSource {
  /** Of the API, or of its file. */
  readonly name: string;
  readonly root: string;
  readonly config: Config;
  /** Absolute path of the folder for generated files; undefined when there is none. */
  readonly output: string | undefined;
}

/**
 * The contracts that are named, by API of redocly.yaml, file or URL; all of redocly.yaml when none is.
 * @throws {UsageError} when one is not there.
 * @throws {ContractError} when redocly.yaml cannot be read.
 */
export async function findContracts(
  named: readonly string[],
  cwd: string,
): Promise<readonly DocumentedSource[]> {
  if (named.length === 0) return loadAll(cwd);
  const apis = new Map<string, NamedApi>();
  const found: DocumentedSource[] = [];
  for (const name of named) {
    const file = await findFile(name, cwd);
    if (file !== undefined) {
      found.push({ ...file, name: toName(file.root), output: undefined });
      continue;
    }
    if (apis.size === 0) for (const api of await loadAll(cwd)) apis.set(api.name, api);
    found.push(apis.get(name) ?? fail(name, [...apis.keys()]));
  }
  return found;
}

async function loadAll(cwd: string): Promise<readonly NamedApi[]> {
  if (!existsSync(join(cwd, "redocly.yaml")))
    throw new UsageError(
      "There is no redocly.yaml in this folder; name a contract, for example docs openapi.yaml.",
    );
  const apis = await loadNamedApis(cwd);
  if (apis.length === 0)
    throw new UsageError("redocly.yaml names no contract; name one, for example docs openapi.yaml.");
  return apis;
}

function fail(name: string, known: readonly string[]): never {
  const near = findNearest(name, known);
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  throw new UsageError(`Unknown API "${name}": redocly.yaml has ${known.join(", ")}.${hint}`);
}

/** `openapi/pets.yaml` is `pets`. */
function toName(root: string): string {
  return basename(root.replace(/[?#].*$/, "")).replace(/\.(?:ya?ml|json)$/i, "");
}
