import process from "node:process";
import { loadApis } from "../project/index.js";
import { lintContract, type RuleSeverity } from "../load/index.js";
import { ContractError, type Problem } from "tenon/core/document";

/** A contract to lint. Rules are functions and cannot be sent, so the process reads redocly.yaml itself. */
export interface LintRequest {
  /** Absolute path of the folder that contains redocly.yaml. */
  readonly directory: string;
  /** Name of the API in redocly.yaml. */
  readonly name: string;
  /** Default: all rules are run. */
  readonly severity?: RuleSeverity;
}

/** Every problem, including errors; or the error that a rule threw. */
export type LintResult = { readonly problems: readonly Problem[] } | { readonly failure: unknown };

// Ctrl-C at a terminal reaches this process too; it ends with its parent.
process.on("SIGINT", () => undefined);
process.on("message", (request: LintRequest) => {
  void lint(request).then((found) => process.send?.(found));
});

async function lint({ directory, name, severity }: LintRequest): Promise<LintResult> {
  try {
    const api = (await loadApis(directory)).find((found) => found.name === name);
    if (api === undefined) return { problems: [] };
    return { problems: await lintContract(api.root, api.config, severity) };
  } catch (failure) {
    return failure instanceof ContractError ? { problems: failure.problems } : { failure };
  }
}
