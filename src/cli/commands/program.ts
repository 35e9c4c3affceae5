import { Argument, Command, CommanderError, Option } from "commander";
import { CHANGELOG_FORMATS, type ChangelogOptions } from "../changelog/options.js";
import { type Shell, SHELLS, writeCompletion } from "./completion.js";
import type { CommandContext, ExitCode } from "../output/context.js";
import type { CoverageOptions } from "./coverage.js";
import { DIFF_FORMATS, DIFF_LEVELS, type DiffOptions } from "../diff/source/options.js";
import type { DocsOptions } from "./docs.js";
import type { MockCommandOptions } from "./mock.js";
import {
  toCount,
  toDelay,
  toPercent,
  toPort,
  toPositive,
  toService,
  toShare,
} from "../output/option-values.js";
import { readOwnPackage } from "../project/own-package.js";
import { VERIFY_FORMATS, type VerifyFlags } from "./verify-options.js";
import { runCommand } from "./run-command.js";

const APIS = "names of APIs in redocly.yaml; all when none is given";
const NOTHING_WRITTEN = "nothing was written";
const JSON_FLAG = ["--json", "print one JSON document, for machines"] as const;

/**
 * Runs the command `tenon`.
 * @param argv What follows the program's name.
 */
export async function runTenon(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(context, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and the version end in one too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** Every command with its arguments, options and an example. What a command does is loaded when it runs. */
function createProgram(context: CommandContext, exit: (code: ExitCode) => void): Command {
  const program = new Command(context.program)
    .description("Contract-first OpenAPI toolkit for TypeScript and Express.")
    .version(readOwnPackage().version, "--version", "print the version")
    .helpOption("--help", "show this text")
    .helpCommand(false)
    .showHelpAfterError(`Run "${context.program} --help" to see what is possible.`)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    .exitOverride();

  /** Declares a command; `example` is what follows the program's name. */
  const declare = (usage: string, description: string, example: string): Command => {
    const command = program.command(usage).description(description);
    return command
      .showHelpAfterError(`Run "${context.program} ${command.name()} --help" to see what is possible.`)
      .addHelpText("after", `\nExample:\n  ${context.program} ${example}`);
  };
  /** `refusal` is what problems of contracts mean for the command. */
  const run = (command: Command, work: () => Promise<ExitCode>, refusal?: string): Promise<void> =>
    runCommand({ command, work, refusal }, context).then(exit);

  const init = declare(
    "init",
    "Writes a small service into an empty folder and prints the two commands that run it.",
    "init my-service",
  )
    .argument("[dir]", "folder of the service; made when it is not there", ".")
    .action((folder: string) =>
      run(init, async () => (await import("./init.js")).runInit({ folder }, context)),
    );

  const lint = declare(
    "lint",
    "Checks contracts against the rules of redocly.yaml, and whether they can be generated from.",
    "lint v1 --max-warnings 0",
  )
    .argument("[api...]", APIS)
    .option("--max-warnings <number>", "exit 1 when there are more warnings", toCount)
    .option(...JSON_FLAG)
    .action((apis: string[], options: { maxWarnings?: number; json?: boolean }) =>
      run(lint, async () => (await import("./lint.js")).runLint({ apis, ...options }, context)),
    );

  const generate = declare(
    "generate",
    "Writes types.ts, server.ts, client.ts and contract.json for every API that has an x-tenon.output.",
    "generate --check v1",
  )
    .argument("[api...]", APIS)
    .option("--check", "write nothing; exit 1 when a file is missing, differs or is stray")
    .option(...JSON_FLAG)
    .action((apis: string[], options: { check?: boolean; json?: boolean }) =>
      run(
        generate,
        async () => (await import("./generate.js")).runGenerate({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  const stubs = declare(
    "stubs",
    "Writes the handler files that are missing, for every API that has x-tenon.handlers. Never touches a written one.",
    "stubs v1",
  )
    .argument("[api...]", APIS)
    .option(...JSON_FLAG)
    .action((apis: string[], options: { json?: boolean }) =>
      run(
        stubs,
        async () => (await import("./stubs.js")).runStubs({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  const diff = declare(
    "diff",
    "Compares two contracts and tells what is different, and whether that breaks clients.",
    "diff main --fail-on risky",
  )
    .argument("<base>", "a file, a URL, a git revision (main), or a file of one (HEAD~3:openapi/v1.yaml)")
    .argument("[revision]", "the same; the contract of redocly.yaml when none is given")
    .option("--api <name>", "API of redocly.yaml, when there are several")
    .addOption(new Option("--format <format>", "how to print changes").choices(DIFF_FORMATS).default("text"))
    .addOption(
      new Option("--fail-on <level>", "exit 1 from which level on").choices(DIFF_LEVELS).default("breaking"),
    )
    .option("--check-version", "exit 1 when info.version does not tell of the changes")
    .option(
      "--impact",
      "ask the compiler what the changes mean to code (default: where there is a tsconfig.json)",
    )
    .option("--no-impact", "do not ask it")
    .option(...JSON_FLAG)
    .action((base: string, revision: string | undefined, { json, ...options }: DiffFlags) =>
      run(diff, async () =>
        (await import("./diff.js")).runDiff(
          { base, ...(revision !== undefined && { revision }), ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );

  const changelog = declare(
    "changelog",
    "Tells what each version of a contract changed, from the version tags of git.",
    "changelog --out generated/v1/changelog.json",
  )
    .argument(
      "[range]",
      "v1.0.0..v2.0.0, or v1.0.0.. up to the working tree; all versions when none is given",
    )
    .option("--api <name>", "API of redocly.yaml, when there are several")
    .option("--tags <pattern>", "git's pattern of tags that end in a version, for others than v1.2.3: pets@*")
    .addOption(
      new Option(
        "--format <format>",
        "how to print it; by the ending of --out when none is given, else markdown",
      ).choices(CHANGELOG_FORMATS),
    )
    .option("--out <file>", "file to write; beside contract.json, changelog.json becomes a page of the docs")
    .option(...JSON_FLAG)
    .action((range: string | undefined, { json, ...options }: ChangelogFlags) =>
      run(changelog, async () =>
        (await import("./changelog.js")).runChangelog(
          { ...(range !== undefined && { range }), ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );

  const coverage = declare(
    "coverage",
    "Runs tests and tells what of the contract they have made happen, and what never.",
    "coverage --html coverage.html -- npm test",
  )
    .argument("[command...]", "what runs the tests, after --")
    .option("--api <name>", "API of redocly.yaml, when there are several")
    .option(
      "--records <dir>",
      "folder for what is written down; it is kept, and told of when no command is given",
    )
    .option("--html <file>", "write a page: the contract's text, with what of each line has happened")
    .option("--fail-under <percent>", "exit 1 when less of the contract is covered", toPercent)
    .option(...JSON_FLAG)
    .action((command: string[], options: Omit<CoverageOptions, "command">) =>
      run(coverage, async () =>
        (await import("./coverage.js")).runCoverage({ command, ...options }, context),
      ),
    );

  const several = (value: string, before: readonly string[] = []) => [...before, value];
  const check = declare(
    "verify",
    "Drives a running service from its contract, and tells where the two part. It creates and changes data there.",
    "verify http://localhost:3000 --auth bearerAuth=KEY",
  )
    .argument("<url>", "where the service is; without a path, the contract says what it is below")
    .option("--contract <file>", "a file or URL; the contract of redocly.yaml when none is given")
    .option("--api <name>", "API of redocly.yaml, when there are several")
    .option("--auth <scheme=credential>", "to be let in, or in TENON_AUTH_<SCHEME>; may be repeated", several)
    .option("--header <name: value>", "sent with every request; may be repeated", several)
    .option("--operation <id>", "try only this one; may be repeated", several)
    .option("--seed <number>", "repeats a run", toCount)
    .option("--runs <number>", "random requests for each operation, valid and not", toCount)
    .option("--max-requests <number>", "stop after so many requests (5000)", toCount)
    .option("--max-time <seconds>", "stop after so many seconds (120)", toCount)
    .option("--rate <number>", "requests a second at most", toPositive)
    .option("--timeout <seconds>", "an answer that takes longer is none (10)", toPositive)
    .addOption(
      new Option("--format <format>", "how to print the report").choices(VERIFY_FORMATS).default("text"),
    )
    .option(...JSON_FLAG)
    .action((url: string, { json, ...flags }: Omit<VerifyFlags, "url"> & { readonly json?: boolean }) =>
      run(check, async () =>
        (await import("./verify.js")).runVerify({ url, ...flags, ...(json && { format: "json" }) }, context),
      ),
    );

  const mock = declare(
    "mock",
    "Serves a contract that nobody has implemented: from its examples, or else from made-up data that it allows.",
    "mock openapi/v1.yaml --stateful --delay 50..200",
  )
    .argument(
      "[contract]",
      "name of an API in redocly.yaml, a file or a URL; the only API when none is given",
    )
    .option("--port <port>", "port to listen at; 0 for any that is free", toPort, 4010)
    .option("--host <address>", "address to listen at", "127.0.0.1")
    .option("--seed <text>", "the same gives the same answers", "1")
    .option("--dynamic", "make up every answer, even where there are examples")
    .option("--stateful", "keep what is created, so that it can be read, listed, changed and deleted")
    .option("--delay <ms>", "milliseconds before each answer: 100, or anything of 50..200", toDelay)
    .option("--errors <share>", "share of answers that are declared 429 or 5xx errors: 5%", toShare)
    .option("--cors", "let pages of other origins call it")
    .action((contract: string | undefined, options: MockFlags) =>
      run(mock, async () =>
        (await import("./mock.js")).runMock(
          { ...(contract !== undefined && { contract }), ...options },
          context,
        ),
      ),
    );

  const docs = declare(
    "docs",
    "Writes contracts as pages for people: a folder for any host or for file://, which asks no other host for anything.",
    "docs openapi/v1.yaml --out site",
  )
    .argument(
      "[api...]",
      "names of APIs in redocly.yaml, files or URLs; all of redocly.yaml when none is given",
    )
    .option("--out <dir>", "folder to write to; docs/ beside the generated files when none is given")
    .option(
      "--service <url>",
      "where the service runs: /v1 on the pages' own host, or a whole address",
      toService,
    )
    .option(
      "--callable <origin>",
      "origin that pages may call, too: http://localhost:*; may be repeated",
      several,
    )
    .option("--serve", "write nothing, and serve the pages until stopped")
    .option("--port <port>", "port to serve them at; 0 for any that is free", toPort, 4020)
    .option("--host <address>", "address to serve them at", "127.0.0.1")
    .action((apis: string[], options: Omit<DocsOptions, "apis">) =>
      run(
        docs,
        async () => (await import("./docs.js")).runDocs({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  const dev = declare(
    "dev",
    "Runs the service and follows every save: lints, generates, checks types, and restarts it when all is good.",
    "dev --main src/main.ts",
  )
    .option("--main <file>", "module that starts the service, instead of x-tenon.main")
    .action((options: { main?: string }) =>
      run(dev, async () => (await import("./dev.js")).runDev(options, context)),
    );

  declare(
    "completion",
    "Prints what a shell has to be told to complete commands and options.",
    "completion bash >> ~/.bashrc",
  )
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((shell: Shell) => {
      context.stdout.write(writeCompletion(shell, program));
    });

  return program;
}

type MockFlags = Omit<MockCommandOptions, "contract">;

type DiffFlags = Omit<DiffOptions, "base" | "revision"> & { readonly json?: boolean };

type ChangelogFlags = Omit<ChangelogOptions, "range"> & { readonly json?: boolean };
