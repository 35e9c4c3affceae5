import type { Command } from "commander";
import type { ContractError } from "tenon/core/document";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { sortProblems, toJsonProblem, writeProblems } from "../output/format-problem.js";
import { WriteError } from "../output/write-error.js";
import { findVersionProblem } from "../project/tenon-version.js";

export interface Run {
  readonly command: Command;
  readonly work: () => Promise<ExitCode>;
  /** The effect of contract errors on the command, such as that nothing was written. */
  readonly consequence?: string;
  /** True if the command also runs where `tenon` is not installed. Default: false. */
  readonly alone?: boolean;
}

/** Runs a command. Errors that the user can fix are printed and become an exit code. */
export async function runCommand(
  { command, work, consequence, alone }: Run,
  context: CommandContext,
): Promise<ExitCode> {
  const versionProblem = alone === true ? undefined : findVersionProblem();
  if (versionProblem !== undefined) {
    context.stderr.write(`${versionProblem}\n`);
    return 2;
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    if (error instanceof WriteError) {
      context.stderr.write(`${error.toText(context.cwd)}\n`);
      return 2;
    }
    if (!isContractError(error)) throw error;
    const { problems } = error;
    if (command.opts()["json"] === true) {
      printJson(
        { problems: sortProblems(problems).map((problem) => toJsonProblem(problem, context.cwd)) },
        context,
      );
    } else {
      writeProblems(problems, context.stderr, context);
      const errors = problems.filter(({ severity }) => severity === "error").length;
      if (consequence !== undefined)
        context.stderr.write(`${errors} ${errors === 1 ? "error" : "errors"}; ${consequence}.\n`);
    }
    return 1;
  }
}

/** Compares the name, because the class is in `tenon`, which commands that run alone must not load. */
function isContractError(error: unknown): error is ContractError {
  return error instanceof Error && error.name === "ContractError";
}
