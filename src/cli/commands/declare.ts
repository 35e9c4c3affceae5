import type { Command } from "commander";
import type { CommandContext, ExitCode } from "../output/context.js";
import { type Run, runCommand } from "./run-command.js";

export const APIS = "names of APIs in redocly.yaml (default: all)";
export const API = ["--api <name>", "API of redocly.yaml, when there are several"] as const;
export const JSON_FLAG = ["--json", "print one JSON document, for machines"] as const;
export const NOTHING_WRITTEN = { consequence: "nothing was written" };

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

type RunOptions = Pick<Run, "consequence" | "alone">;

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
    return this.program
      .command(name)
      .description(description)
      .showHelpAfterError(`Run "${call} ${name} --help" to see all options.`)
      .addHelpText("after", `\nExample:\n  ${call} ${example}`);
  }

  run(command: Command, work: () => Promise<ExitCode>, options: RunOptions = {}): Promise<void> {
    return runCommand({ command, work, ...options }, this.context).then(this.#exit);
  }
}
