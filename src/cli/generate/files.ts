import type { Node } from "tenon/core/legacy/document";
import type { Contract } from "tenon/core/legacy/model";
import { emitClient } from "./client.js";
import { emitContractJson } from "./contract-json.js";
import { emitServer } from "./server.js";
import { emitTypes, type TypesOptions } from "./types.js";

/** What the contract's author should know about the text, by its pointer in the bundled document. */
export interface EmitProblem {
  /** What the client's types cannot say, or a type of the server's that has another name than it was to have. */
  readonly code: "client-types" | "name-changed";
  readonly pointer: string;
  readonly message: string;
}

export interface EmittedFiles {
  /** Path within the output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly EmitProblem[];
}

/**
 * Emits every file of an API.
 * @param document The bundled document that the contract was built from.
 */
export function emitFiles(contract: Contract, document: Node, options: TypesOptions): EmittedFiles {
  const types = emitTypes(document, options);
  const server = emitServer(contract, options);
  const files = new Map([
    ["types.ts", types.text],
    ...server.files,
    ["client.ts", emitClient(contract, { ...options, document, marked: types.marked })],
    ["contract.json", emitContractJson(document)],
  ]);
  const toProblems = (code: EmitProblem["code"], found: readonly Omit<EmitProblem, "code">[]) =>
    found.map(({ pointer, message }) => ({ code, pointer, message }));
  return {
    files,
    problems: [...toProblems("client-types", types.problems), ...toProblems("name-changed", server.renamed)],
  };
}
