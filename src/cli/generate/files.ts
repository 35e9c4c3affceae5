import type { Contract } from "tenon/core/model";
import { emitClient } from "./client.js";
import { emitSchemas } from "./schemas/schemas.js";
import { emitServer } from "./server/server.js";
import { type EmitProblem, withImportExtension } from "./text.js";
import { emitTypes, type TypesOptions } from "./types/types.js";

interface EmittedFiles {
  /** Texts by path within the output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  /** `client-types`: a part that the client's types cannot express. `name-changed`: a server type that had to be renamed. */
  readonly problems: readonly (EmitProblem & { readonly code: "client-types" | "name-changed" })[];
}

/**
 * Emits every file of an API.
 * @param document The bundled document that the contract was built from.
 */
export function emitFiles(contract: Contract, document: object, options: TypesOptions): EmittedFiles {
  const types = emitTypes(contract, options);
  const server = emitServer(contract, options);
  const code = new Map([
    ["types.ts", types.text],
    ...server.files,
    ...emitClient(contract, { ...options, marked: types.marked }),
    ...(options.generate?.includes("schemas") === true
      ? [["schemas.ts", emitSchemas(contract, { ...options, marked: types.marked })] as const]
      : []),
  ]);
  const files = new Map([
    ...[...code].map(([name, text]) => [name, withImportExtension(text, options.importExtension)] as const),
    ["contract.json", emitContractJson(document)] as const,
  ]);
  return {
    files,
    problems: [
      ...types.problems.map((problem) => ({ code: "client-types" as const, ...problem })),
      ...server.renamed.map((problem) => ({ code: "name-changed" as const, ...problem })),
    ],
  };
}

/** Emits contract.json: the bundled document in document order, for the runtime, the docs and comparisons. */
export function emitContractJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
