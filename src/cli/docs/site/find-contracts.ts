import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  createUnknownApiError,
  createUnnamedError,
  findFile,
  loadNamedApis,
  type NamedApi,
} from "../../project/index.js";
import { UsageError } from "../../output/context.js";

/**
 * Finds the named contracts, by API of redocly.yaml, file or URL; all of redocly.yaml without names. That of a file has its name.
 * @throws {UsageError} when one does not exist.
 * @throws {ContractError} when redocly.yaml cannot be read.
 */
export async function findContracts(named: readonly string[], cwd: string): Promise<readonly NamedApi[]> {
  if (named.length === 0) return loadAll(cwd);
  let apis: readonly NamedApi[] | undefined;
  const found: NamedApi[] = [];
  for (const name of named) {
    const file = await findFile(name, cwd);
    if (file !== undefined) {
      found.push({ ...file, name: toName(file.root), output: undefined });
      continue;
    }
    apis ??= await loadAll(cwd);
    const api = apis.find((one) => one.name === name);
    if (api === undefined) throw createUnknownApiError(name, apis, "redocly.yaml has");
    found.push(api);
  }
  return found;
}

async function loadAll(cwd: string): Promise<readonly NamedApi[]> {
  if (!existsSync(join(cwd, "redocly.yaml"))) throw createUnnamedError();
  const apis = await loadNamedApis(cwd);
  if (apis.length === 0)
    throw new UsageError("redocly.yaml names no contract. Name one, for example --api openapi.yaml.");
  return apis;
}

/** `openapi/pets.yaml` is `pets`. */
function toName(root: string): string {
  return basename(root.replace(/[?#].*$/, "")).replace(/\.(?:ya?ml|json)$/i, "");
}
