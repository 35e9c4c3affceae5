import { buildModel } from "tenon/core/legacy/build-model";
import type { ApiConfig } from "./config.js";
import { loadContract, type LoadedContract } from "../load/load.js";
import type { Contract } from "tenon/core/legacy/model";
import type { Problem } from "tenon/core/document/problem";
import { ContractError, type ContractProblemCode, severityOf } from "tenon/core/document/contract-error";

export interface LoadedModel extends LoadedContract {
  readonly contract: Contract;
}

/** Something to tell about a node of the bundled document, which is not yet found in its file. */
export interface Finding {
  readonly code: ContractProblemCode;
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Loads a contract and builds its model.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadModel(api: Pick<ApiConfig, "root" | "config">): Promise<LoadedModel> {
  const loaded = await loadContract(api.root, api.config);
  const { contract, warnings } = toModel(loaded);
  return { ...loaded, contract, problems: [...loaded.problems, ...toProblems(warnings, loaded)] };
}

/**
 * Builds the model of a loaded contract.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export function toModel(loaded: LoadedContract): {
  readonly contract: Contract;
  readonly warnings: readonly Finding[];
} {
  // What several operations refer to is looked at with each of them.
  const byText = new Map<string, Finding>();
  const contract = buildModel({
    document: loaded.document,
    report: (code, pointer, message, hint) => {
      const finding = { code, pointer, message, ...(hint !== undefined && { hint }) };
      byText.set(JSON.stringify(finding), finding);
    },
  });
  const found = [...byText.values()];
  const problems = toProblems(found, loaded);
  if (problems.some(({ severity }) => severity === "error")) {
    throw new ContractError([...loaded.problems, ...problems]);
  }
  return { contract, warnings: found };
}

export function toProblems(
  findings: readonly Finding[],
  { locate }: Pick<LoadedContract, "locate">,
): readonly Problem[] {
  return findings.map(({ code, pointer, message, hint }) => ({
    code,
    severity: severityOf(code),
    message,
    ...locate(pointer),
    ...(hint !== undefined && { hint }),
  }));
}
