import { relative } from "node:path";
import type { ApiConfig } from "../contract/config.js";
import type { Problem } from "../contract/problem.js";
import { emitFiles } from "../emit/files.js";
import { severityOf } from "../errors.js";
import { loadModel } from "./load-model.js";

export interface EmittedApi {
  /** File name within the API's output folder to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** Absolute paths of every file that the contract is made of. */
  readonly sources: readonly string[];
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder, which paths in generated text are relative to.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function emitApi(api: ApiConfig, directory: string): Promise<EmittedApi> {
  const { contract, document, problems, locate, files: sources } = await loadModel(api);
  const source = relative(directory, api.root).replaceAll("\\", "/");
  const options = { source, ...(api.split !== undefined && { split: api.split }) };
  const { files, problems: widened } = emitFiles(contract, document, options);
  const warnings = widened.map(({ pointer, message }): Problem => ({
    code: "client-types",
    severity: severityOf("client-types"),
    message,
    ...locate(pointer),
  }));
  return { files, warnings: [...problems, ...warnings], sources };
}
