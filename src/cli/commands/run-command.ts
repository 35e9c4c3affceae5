import type { Command } from "commander";
import { ContractError } from "tenon/core/document/contract-error";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { sortProblems, toJsonProblem, writeProblems } from "../output/format-problem.js";
import { WriteError } from "../output/write-error.js";

export interface Run {
  readonly command: Command;
  readonly work: () => Promise<ExitCode>;
  /** What problems of contracts mean for the command, such as that nothing was written. */
  readonly refusal: string | undefined;
}

/** Runs a command; what its user can mend is told and becomes an exit code. */
export async function runCommand(
  { command, work, refusal }: Run,
  context: CommandContext,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    if (error instanceof WriteError) {
      context.stderr.write(`${error.toText(context.cwd)}\n`);
      return 2;
    }
    if (!(error instanceof ContractError)) throw error;
    const { problems } = error;
    if (command.opts()["json"] === true) {
      printJson(
        { problems: sortProblems(problems).map((problem) => toJsonProblem(problem, context.cwd)) },
        context,
      );
    } else {
      writeProblems(problems, context.stderr, context);
      const errors = problems.filter(({ severity }) => severity === "error").length;
      if (refusal !== undefined)
        context.stderr.write(`${errors} ${errors === 1 ? "error" : "errors"}; ${refusal}.\n`);
    }
    return 1;
  }
}
