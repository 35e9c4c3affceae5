import { type ApiConfig, loadModel, selectApis } from "../project/index.js";
import { ContractError, type Problem } from "tenon/core/document";
import { type CommandContext, type ExitCode, printJson } from "../output/context.js";
import { count } from "../output/count.js";
import { sortProblems, toJsonProblem, uniqueProblems, writeProblems } from "../output/format-problem.js";
import { withProgress } from "../output/terminal.js";

/** The arguments and options of the command, which its help describes. */
export interface LintOptions {
  readonly apis: readonly string[];
  readonly maxWarnings?: number;
  readonly json?: boolean;
}

/**
 * Prints every problem of the contracts: violations of redocly.yaml's rules, and errors that prevent generation.
 * @throws {ContractError | UsageError}
 */
export async function runLint(options: LintOptions, context: CommandContext): Promise<ExitCode> {
  const { maxWarnings = Infinity, json = false } = options;
  const apis = await selectApis(options.apis, context.cwd);
  const problems = await withProgress(context, async (report) => {
    const found: Problem[] = [];
    for (const api of apis) {
      report(`Linting ${api.name}`);
      found.push(...(await findProblems(api)));
    }
    return uniqueProblems(found);
  });
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  if (json) {
    const shown = sortProblems(problems).map((problem) => toJsonProblem(problem, context.cwd));
    printJson({ errors, warnings, problems: shown }, context);
  } else {
    writeProblems(problems, context.stdout, context);
    context.stdout.write(`${count(errors, "error")}, ${count(warnings, "warning")}\n`);
  }
  return errors > 0 || warnings > maxWarnings ? 1 : 0;
}

async function findProblems(api: ApiConfig): Promise<readonly Problem[]> {
  try {
    return [...api.warnings, ...(await loadModel(api)).problems];
  } catch (error) {
    if (error instanceof ContractError) return [...api.warnings, ...error.problems];
    throw error;
  }
}
