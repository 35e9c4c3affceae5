import { buildModel } from "../contract/build-model.js";
import type { ApiConfig } from "../contract/config.js";
import { loadContract, type LoadedContract } from "../contract/load.js";
import type { Contract } from "../contract/model.js";
import type { Problem } from "../contract/problem.js";
import { ContractError, severityOf } from "../errors.js";

export interface LoadedModel extends LoadedContract {
  readonly contract: Contract;
}

/**
 * Loads the contract of one API and builds its model.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadModel(api: ApiConfig): Promise<LoadedModel> {
  const loaded = await loadContract(api.root, api.config);
  const found: Problem[] = [];
  const contract = buildModel({
    document: loaded.document,
    report: (code, pointer, message, hint) =>
      found.push({
        code,
        severity: severityOf(code),
        message,
        ...loaded.locate(pointer),
        ...(hint !== undefined && { hint }),
      }),
  });
  const problems = [...loaded.problems, ...found];
  if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
  return { ...loaded, problems, contract };
}
