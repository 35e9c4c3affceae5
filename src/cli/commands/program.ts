import process from "node:process";
import { Argument, Command, CommanderError } from "commander";
import type { CommandContext, ExitCode } from "../output/context.js";
import { readOwnPackage } from "../init/index.js";
import { type Shell, SHELLS, writeCompletion } from "../output/completion.js";
import { declareCode, declareComparisons } from "./declare/contract.js";
import { declareServers, declareTests, declareWebhook } from "./declare/service.js";
import { JSON_FLAG, type JsonFlag } from "./options.js";
import { Declarations } from "./run-command.js";

/**
 * Runs the command that this process was called with, and leaves its exit code to the process.
 * @param program How the user calls it: `tenon`.
 */
export async function runProcess(program: string): Promise<void> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // The reader has closed the pipe, as `head` does: the work continues, and its exit code is right.
      if (error.code !== "EPIPE") throw error;
    });
  }
  process.exitCode = await runTenon(process.argv.slice(2), { cwd: process.cwd(), stdout, stderr, program });
}

/**
 * Runs the command `tenon`.
 * @param argv The arguments after the program's name.
 */
export async function runTenon(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(context, (code) => (exitCode = code));
  try {
    // Many programs print their version for `-V`, and Commander allows one short name.
    await program.parseAsync(argv[0] === "-V" ? ["--version"] : argv, { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and the version are also errors, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** Every command with its arguments, options and an example. A command's module is loaded when the command runs. */
function createProgram(context: CommandContext, exit: (code: ExitCode) => void): Command {
  const program = new Command(context.program)
    .description("Contract-first OpenAPI toolkit for TypeScript and Express.")
    .version(readOwnPackage().version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .showHelpAfterError(`Run "${context.program} --help" to see all commands.`)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    .exitOverride();
  const declarations = new Declarations(program, context, exit);
  for (const declare of [declareCode, declareComparisons, declareTests, declareWebhook, declareServers])
    declare(declarations);
  declarations
    .declare(
      "explain",
      "Prints what a code of lint, generate, diff or verify means.",
      "explain reference-forbidden",
    )
    .argument("<code>", "the code, as a problem or change has it")
    .option(...JSON_FLAG)
    .action(
      declarations.run(async (code: string, options: JsonFlag) =>
        (await import("./explain.js")).runExplain({ code, ...options }, context),
      ),
    );
  declarations
    .declare("completion", "Prints a shell completion script.", "completion bash >> ~/.bashrc")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((shell: Shell) => {
      context.stdout.write(writeCompletion(shell, program));
    });
  return program;
}
