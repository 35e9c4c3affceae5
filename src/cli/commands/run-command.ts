import type { Command } from "commander";
import type { ContractError } from "tenon/core/document";
import { findInstallProblem } from "../init/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { count } from "../output/count.js";
import { sortProblems, toJsonProblem, writeProblems } from "../output/format-problem.js";
import { FileError } from "../output/write-files.js";

interface RunOptions {
  /** The effect of contract errors on the command, such as that nothing was written. */
  readonly consequence?: string;
  /** True if the command also runs where `tenon` is not installed. Default: false. */
  readonly alone?: boolean;
}

/** Declares the commands of a program. */
export class Declarations {
  readonly program: Command;
  readonly context: CommandContext;
  readonly #exit: (code: ExitCode) => void;

  /** @param exit Gets the exit code of the command that ran. */
  constructor(program: Command, context: CommandContext, exit: (code: ExitCode) => void) {
    this.program = program;
    this.context = context;
    this.#exit = exit;
  }

  /** @param example The arguments of the program in an example call. */
  declare(name: string, description: string, example: string): Command {
    const call = this.context.program;
    const command = this.program.command(name);
    // `tenon docs openapi.yaml` is the usual mistake.
    const outputError = (text: string, write: (text: string) => void) => {
      const isName =
        text.includes("too many arguments") && command.options.some(({ long }) => long === "--api");
      write(isName ? `${text}To choose an API or a contract, write --api before its name.\n` : text);
    };
    return command
      .configureOutput({ ...this.program.configureOutput(), outputError })
      .description(description)
      .showHelpAfterError(`Run "${call} ${name} --help" to see all options.`)
      .addHelpText("after", `\nExample:\n  ${call} ${example}`);
  }

  /**
   * Creates the action of a command. Errors that the user can fix are printed and become an exit code.
   * @param work Gets the values of the arguments, then those of the options.
   */
  run<Values extends readonly unknown[]>(
    work: (...values: Values) => Promise<ExitCode>,
    options: RunOptions = {},
  ): (this: Command, ...values: Values) => Promise<void> {
    const { context } = this;
    const exit = this.#exit;
    return async function (...values) {
      const problem = options.alone === true ? undefined : findInstallProblem();
      if (problem !== undefined) context.stderr.write(`${problem}\n`);
      exit(
        problem !== undefined
          ? 2
          : await work(...values).catch((error: unknown) => printError(error, this, options, context)),
      );
    };
  }
}

/** @returns the exit code. */
function printError(
  error: unknown,
  command: Command,
  { consequence }: RunOptions,
  context: CommandContext,
): ExitCode {
  const { cwd, stderr } = context;
  if (error instanceof UsageError) {
    stderr.write(`error: ${error.message}\n`);
    return 2;
  }
  if (error instanceof FileError) {
    stderr.write(`${error.toText(cwd)}\n`);
    return 2;
  }
  if (!isContractError(error)) throw error;
  const { problems } = error;
  if (command.opts()["json"] === true) {
    printJson({ problems: sortProblems(problems).map((problem) => toJsonProblem(problem, cwd)) }, context);
    return 1;
  }
  writeProblems(problems, stderr, context);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (consequence !== undefined) stderr.write(`${count(errors, "error")}; ${consequence}.\n`);
  return 1;
}

/** Compares the name, because the class is in `tenon`, which commands that run alone must not load. */
function isContractError(error: unknown): error is ContractError {
  return error instanceof Error && error.name === "ContractError";
}
