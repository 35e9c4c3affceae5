import type { Contract } from "../contract/model.js";
import { emitClient } from "./client.js";
import { emitContractJson } from "./contract-json.js";
import { emitServer } from "./server.js";
import type { EmitOptions } from "./text.js";
import { emitTypes } from "./types.js";

/**
 * Emits every file of an API.
 * @param document The bundled document that the contract was built from.
 * @returns path within the output folder, with `/` between its parts, to text.
 */
export async function emitFiles(
  contract: Contract,
  document: object,
  options: EmitOptions,
): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["types.ts", await emitTypes(document, options)],
    ...emitServer(contract, options),
    ["client.ts", emitClient(options)],
    ["contract.json", emitContractJson(document)],
  ]);
}
