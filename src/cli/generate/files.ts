import type { Contract } from "tenon/core/model";
import { emitClient } from "./client.js";
import { emitServer } from "./server/server.js";
import { emitTypes, type TypesOptions } from "./types/types.js";

/** A problem of the emitted text, with its pointer in the bundled document. */
interface EmitProblem {
  /** `client-types`: a part that the client's types cannot express. `name-changed`: a server type that had to be renamed. */
  readonly code: "client-types" | "name-changed";
  readonly pointer: string;
  readonly message: string;
}

interface EmittedFiles {
  /** Texts by path within the output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly EmitProblem[];
}

/**
 * Emits every file of an API.
 * @param document The bundled document that the contract was built from.
 */
export function emitFiles(contract: Contract, document: object, options: TypesOptions): EmittedFiles {
  const types = emitTypes(contract, options);
  const server = emitServer(contract, options);
  const files = new Map([
    ["types.ts", types.text],
    ...server.files,
    ["client.ts", emitClient(contract, { ...options, marked: types.marked })],
    ["contract.json", emitContractJson(document)],
  ]);
  const toProblems = (code: EmitProblem["code"], found: readonly Omit<EmitProblem, "code">[]) =>
    found.map(({ pointer, message }) => ({ code, pointer, message }));
  return {
    files,
    problems: [...toProblems("client-types", types.problems), ...toProblems("name-changed", server.renamed)],
  };
}

/** Emits contract.json: the bundled document in document order, for the runtime, the docs and comparisons. */
export function emitContractJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
