import { buildModel } from "../contract/build-model.js";
import type { ApiConfig } from "../contract/config.js";
import { loadContract, type LoadedContract } from "../contract/load.js";
import type { Contract } from "../contract/model.js";
import type { Problem } from "../contract/problem.js";
import { ContractError } from "../errors.js";

export interface LoadedModel extends LoadedContract {
  readonly contract: Contract;
}

/**
 * Loads the contract of one API and builds its model.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadModel(api: ApiConfig): Promise<LoadedModel> {
  return toModel(await loadContract(api.root, api.config));
}

/**
 * Builds the model of a loaded contract.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export function toModel(loaded: LoadedContract): LoadedModel {
  const found: Problem[] = [];
  const contract = buildModel({
    document: loaded.document,
    report: (code, pointer, message, hint) =>
      found.push({
        code,
        severity: "error",
        message,
        ...loaded.locate(pointer),
        ...(hint !== undefined && { hint }),
      }),
  });
  if (found.length > 0) throw new ContractError([...loaded.problems, ...found]);
  return { ...loaded, contract };
}
