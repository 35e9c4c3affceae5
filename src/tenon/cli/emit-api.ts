import { relative } from "node:path";
import { buildModel } from "../contract/build-model.js";
import type { ApiConfig } from "../contract/config.js";
import { loadContract } from "../contract/load.js";
import type { Problem } from "../contract/problem.js";
import { emitClient } from "../emit/client.js";
import { emitContractJson } from "../emit/contract-json.js";
import { emitServer } from "../emit/server.js";
import { emitTypes } from "../emit/types.js";
import { ContractError } from "../errors.js";

export interface EmittedApi {
  /** File name within the API's output folder to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder, which paths in generated text are relative to.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function emitApi(api: ApiConfig, directory: string): Promise<EmittedApi> {
  const { document, problems, locate } = await loadContract(api.root, api.config);
  const found = [...problems];
  const contract = buildModel({
    document,
    report: (code, pointer, message, hint) =>
      found.push({
        code,
        severity: "error",
        message,
        ...locate(pointer),
        ...(hint !== undefined && { hint }),
      }),
  });
  if (found.length > problems.length) throw new ContractError(found);

  const source = relative(directory, api.root).replaceAll("\\", "/");
  const types = await emitTypes(document, { source }).catch((cause: unknown) => {
    const message = `openapi-typescript cannot emit types: ${(cause as Error).message}`;
    throw new ContractError([
      ...found,
      { code: "client-types", severity: "error", message, ...locate("#/openapi") },
    ]);
  });
  const files = new Map([
    ["types.ts", types],
    ["server.ts", emitServer(contract, { source })],
    ["client.ts", emitClient({ source })],
    ["contract.json", emitContractJson(document)],
  ]);
  return { files, warnings: problems };
}
