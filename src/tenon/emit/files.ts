import type { Node } from "../contract/document.js";
import type { Contract } from "../contract/model.js";
import { emitClient } from "./client.js";
import { emitContractJson } from "./contract-json.js";
import { emitServer } from "./server.js";
import { emitTypes, type TypesOptions } from "./types.js";
import type { TypesProblem } from "./types/pieces.js";

export interface EmittedFiles {
  /** Path within the output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  /** What the client's types cannot say, by its pointer in the bundled document. */
  readonly problems: readonly TypesProblem[];
}

/**
 * Emits every file of an API.
 * @param document The bundled document that the contract was built from.
 */
export function emitFiles(contract: Contract, document: Node, options: TypesOptions): EmittedFiles {
  const types = emitTypes(document, options);
  const files = new Map([
    ["types.ts", types.text],
    ...emitServer(contract, options),
    ["client.ts", emitClient(contract, { ...options, document, marked: types.marked })],
    ["contract.json", emitContractJson(document)],
  ]);
  return { files, problems: types.problems };
}
