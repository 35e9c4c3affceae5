import { relative } from "node:path";
import type { ApiConfig } from "../contract/config.js";
import type { Problem } from "../contract/problem.js";
import { emitClient } from "../emit/client.js";
import { emitContractJson } from "../emit/contract-json.js";
import { emitServer } from "../emit/server.js";
import { emitTypes } from "../emit/types.js";
import { loadModel } from "./load-model.js";

export interface EmittedApi {
  /** File name within the API's output folder to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** Absolute paths of every file that the contract is made of. */
  readonly sources: readonly string[];
}

export interface EmitApiOptions {
  /** Of this API alone, kept from one call to the next: types that did not change are not made again. Default: none. */
  readonly typesCache?: Map<string, string>;
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder, which paths in generated text are relative to.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function emitApi(
  api: ApiConfig,
  directory: string,
  { typesCache }: EmitApiOptions = {},
): Promise<EmittedApi> {
  const { contract, document, problems, locate, files: sources } = await loadModel(api);
  const source = relative(directory, api.root).replaceAll("\\", "/");
  const types = emitTypes(document, { source, ...(typesCache && { cache: typesCache }) });
  const widened = types.problems.map(({ pointer, message }) => ({
    code: "client-types",
    severity: "warning" as const,
    message,
    ...locate(pointer),
  }));
  const files = new Map([
    ["types.ts", types.text],
    ["server.ts", emitServer(contract, { source })],
    ["client.ts", emitClient(contract, { source, document, marked: types.marked })],
    ["contract.json", emitContractJson(document)],
  ]);
  return { files, warnings: [...problems, ...widened], sources };
}
