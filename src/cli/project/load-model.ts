import { ContractError, type ContractProblemCode, createProblem, type Problem } from "tenon/core/document";
import { buildContract, type Contract } from "tenon/core/model";
import { loadContract, type LoadedContract } from "../load/index.js";
import type { ApiConfig } from "./config.js";

export interface LoadedModel extends LoadedContract {
  readonly contract: Contract;
}

export interface Model extends Pick<LoadedModel, "contract"> {
  readonly warnings: readonly Finding[];
}

/** A problem with a node of the bundled document, not yet located in its file. */
export interface Finding {
  readonly code: ContractProblemCode;
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string | undefined;
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
export function toModel(loaded: LoadedContract): Model {
  const { document } = loaded;
  // A component has the same problem in each operation that refers to it.
  const byText = new Map<string, Finding>();
  const contract = buildContract(document, {
    report: (code, pointer, message, hint) => {
      const finding = { code, pointer, message, hint };
      byText.set(JSON.stringify(finding), finding);
    },
  });
  const warnings = [...byText.values()];
  const problems = toProblems(warnings, loaded);
  if (problems.some(({ severity }) => severity === "error")) {
    throw new ContractError([...loaded.problems, ...problems]);
  }
  return { contract, warnings };
}

/** Locates findings in the files of their contract. */
export function toProblems(
  findings: readonly Finding[],
  { locate }: Pick<LoadedContract, "locate">,
): readonly Problem[] {
  return findings.map(({ code, pointer, message, hint }) =>
    createProblem(code, message, locate(pointer), hint),
  );
}
