import { relative } from "node:path";
import { type ApiConfig, type Finding, toModel, toProblems } from "../project/index.js";
import { loadContract, type LoadOptions } from "../load/index.js";
import type { Problem } from "tenon/core/document";
import { emitContractJson, emitFiles } from "../generate/files.js";

export interface EmittedApi {
  /** Texts by path within the API's output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** Problems of the bundled contract; the same array as long as the contract is unchanged. */
  readonly findings: readonly Finding[];
  /** Absolute paths of all files of the contract. */
  readonly sources: readonly string[];
}

export interface EmitApiOptions extends LoadOptions {
  /** The last result for this API with the same settings; reused if the bundled contract is unchanged. */
  readonly last?: EmittedApi | undefined;
  /** Cache of this API, see `TypesOptions`. Default: none. */
  readonly cache?: Map<string, string>;
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder; paths in generated text are relative to it.
 * @throws {ContractError} with every problem if one of them is an error.
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
