import { relative } from "node:path";
import type { ApiConfig } from "./config.js";
import { loadContract, type LoadOptions } from "../load/load.js";
import type { Problem } from "tenon/core/document/problem";
import { emitContractJson } from "../generate/contract-json.js";
import { emitFiles } from "../generate/files.js";
import { type Finding, toModel, toProblems } from "./load-model.js";

export interface EmittedApi {
  /** Path within the API's output folder, with `/` between its parts, to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** What was found in the bundled contract, which holds as long as that is the same. */
  readonly findings: readonly Finding[];
  /** Absolute paths of every file that the contract is made of. */
  readonly sources: readonly string[];
}

export interface EmitApiOptions extends LoadOptions {
  /** What was emitted for this API, configured as it is now, the last time: it holds while the bundled contract is the same. */
  readonly last?: EmittedApi | undefined;
  /** Of this API, see `TypesOptions`. Default: none. */
  readonly cache?: Map<string, string>;
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder, which paths in generated text are relative to.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function emitApi(
  api: ApiConfig,
  directory: string,
  { last, cache, ...options }: EmitApiOptions = {},
): Promise<EmittedApi> {
  const loaded = await loadContract(api.root, api.config, options);
  const { document, problems, files: sources } = loaded;
  const toResult = (files: EmittedApi["files"], findings: readonly Finding[]): EmittedApi => ({
    files,
    findings,
    warnings: [...api.warnings, ...problems, ...toProblems(findings, loaded)],
    sources,
  });
  if (last !== undefined && isContractOf(last, document)) return toResult(last.files, last.findings);
  const { contract, warnings } = toModel(loaded);
  const emitted = emitFiles(contract, document, {
    source: relative(directory, api.root).replaceAll("\\", "/"),
    split: api.split,
    module: api.module,
    ...(cache && { cache }),
  });
  return toResult(emitted.files, [...warnings, ...emitted.problems]);
}

function isContractOf({ files }: EmittedApi, document: object): boolean {
  return files.get("contract.json") === emitContractJson(document);
}
