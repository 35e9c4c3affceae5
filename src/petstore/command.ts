import { Command, CommanderError } from "commander";
import { OperatorError } from "./errors.js";

/** The streams that a command writes to. */
export interface Output {
  /** Receives results only. */
  readonly stdout: TextStream;
  /** Receives errors and explanations. */
  readonly stderr: TextStream;
}

interface TextStream {
  write(text: string): unknown;
}

/**
 * Creates the command behind `npm run <name>`.
 * @param example Arguments of the example in its help.
 */
export function createCommand(name: string, example: string, { stdout, stderr }: Output): Command {
  return new Command(`npm run -s ${name} --`)
    .addHelpText("after", `\nExample: npm run -s ${name} -- ${example}`)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => {
        write(toLine(text));
      },
    })
    .exitOverride();
}

/** Adds a subcommand with an example to a command. */
export function addSubcommand(parent: Command, name: string, example: string): Command {
  const text = `Example: ${parent.name()} ${name} ${example}`;
  return parent.command(name).addHelpText("after", `\n${text.trimEnd()}`);
}

/**
 * Runs a command.
 * @param argv Arguments after the program's name.
 * @returns Exit code: 0 success, 1 failure, 2 invalid usage.
 */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  { stderr }: Output,
): Promise<number> {
  try {
    if (argv.length === 0) {
      const names = command.commands.map((subcommand) => subcommand.name());
      command.error(`error: missing subcommand: ${names.join(", ")}`);
    }
    await command.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    // Printing help also ends with an error, whose exit code is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof OperatorError)) throw error;
    stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** Joins the lines of a usage error. Standard error may be logged, so keys are left out, and URLs, which may contain a password. */
function toLine(text: string): string {
  const line = text.trim().replace(/\n/g, " ").replace(/\.$/, "");
  return `${line.replace(/ '[^']*(?::\/\/|petstore_)[^']*'/g, "")}; see --help\n`;
}
