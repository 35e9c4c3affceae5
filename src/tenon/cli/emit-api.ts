import { relative } from "node:path";
import type { ApiConfig } from "../contract/config.js";
import { loadContract, type LoadOptions } from "../contract/load.js";
import type { Problem } from "../contract/problem.js";
import { emitClient } from "../emit/client.js";
import { emitContractJson } from "../emit/contract-json.js";
import { emitServer } from "../emit/server.js";
import { emitTypes } from "../emit/types.js";
import { ContractError } from "../errors.js";
import { toModel } from "./load-model.js";

export interface EmittedApi {
  /** File name within the API's output folder to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** Absolute paths of every file that the contract is made of. */
  readonly sources: readonly string[];
}

export interface EmitApiOptions extends LoadOptions {
  /** What was emitted for this API, configured as it is now, the last time: it holds while the bundled contract is the same. */
  readonly last?: EmittedApi | undefined;
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder, which paths in generated text are relative to.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function emitApi(
  api: ApiConfig,
  directory: string,
  { last, ...options }: EmitApiOptions = {},
): Promise<EmittedApi> {
  const loaded = await loadContract(api.root, api.config, options);
  const { document, problems, locate, files: sources } = loaded;
  const json = emitContractJson(document);
  if (last?.files.get("contract.json") === json) return { ...last, warnings: problems, sources };
  const { contract } = toModel(loaded);
  const source = relative(directory, api.root).replaceAll("\\", "/");
  const types = await emitTypes(document, { source }).catch((cause: unknown) => {
    const message = `openapi-typescript cannot emit types: ${(cause as Error).message}`;
    throw new ContractError([
      ...problems,
      { code: "client-types", severity: "error", message, ...locate("#/openapi") },
    ]);
  });
  const files = new Map([
    ["types.ts", types],
    ["server.ts", emitServer(contract, { source })],
    ["client.ts", emitClient({ source })],
    ["contract.json", json],
  ]);
  return { files, warnings: problems, sources };
}
