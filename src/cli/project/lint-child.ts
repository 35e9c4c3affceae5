import process from "node:process";
import { loadApis } from "./config.js";
import { lintContract, type RuleSeverity } from "../load/load.js";
import type { Problem } from "tenon/core/document/problem";
import { ContractError } from "tenon/core/document/contract-error";

/** Which contract to lint. Rules are functions and cannot be sent, so the process reads redocly.yaml itself. */
export interface LintRequest {
  /** Absolute path of the folder that redocly.yaml is in. */
  readonly directory: string;
  /** Name of the API there. */
  readonly name: string;
  /** Default: all rules are run. */
  readonly severity?: RuleSeverity;
}

/** Every problem, errors too; or what a rule threw. */
export type LintAnswer = { readonly problems: readonly Problem[] } | { readonly failure: unknown };

// Ctrl-C at a terminal reaches this process too; it ends when its parent lets go of it.
process.on("SIGINT", () => undefined);
process.on("message", (request: LintRequest) => {
  void answer(request).then((found) => process.send?.(found));
});

async function answer({ directory, name, severity }: LintRequest): Promise<LintAnswer> {
  try {
    const api = (await loadApis(directory)).find((found) => found.name === name);
    if (api === undefined) return { problems: [] };
    return { problems: await lintContract(api.root, api.config, severity) };
  } catch (failure) {
    return failure instanceof ContractError ? { problems: failure.problems } : { failure };
  }
}
