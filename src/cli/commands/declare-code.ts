import type { GenerateOptions } from "./generate.js";
import type { LintOptions } from "./lint.js";
import { APIS, JSON_FLAG, NOTHING_WRITTEN, toCount } from "./options.js";
import type { Declarations } from "./run-command.js";
import type { StubsOptions } from "./stubs.js";

/** Declares the commands that check contracts and write code. */
export function declareCodeCommands(to: Declarations): void {
  const { context } = to;
  to.declare(
    "init",
    "Creates a small service in an empty folder and prints the two commands that run it.",
    "init my-service",
  )
    .argument("[dir]", "folder of the service; created if it does not exist", ".")
    .action(
      to.run(async (folder: string) => (await import("./init.js")).runInit({ folder }, context), {
        alone: true,
      }),
    );

  to.declare(
    "lint",
    "Checks contracts against the rules of redocly.yaml, and whether code can be generated from them.",
    "lint v1 --max-warnings 0",
  )
    .argument("[api...]", APIS)
    .option("--max-warnings <number>", "exit 1 when there are more warnings", toCount)
    .option(...JSON_FLAG)
    .action(
      to.run(async (apis: string[], options: Omit<LintOptions, "apis">) =>
        (await import("./lint.js")).runLint({ apis, ...options }, context),
      ),
    );

  to.declare(
    "generate",
    "Generates types.ts, server.ts, client.ts and contract.json for every API with an x-tenon.output.",
    "generate --check v1",
  )
    .argument("[api...]", APIS)
    .option("--check", "write nothing; exit 1 when a generated file is missing, outdated or unexpected")
    .option(...JSON_FLAG)
    .action(
      to.run(
        async (apis: string[], options: Omit<GenerateOptions, "apis">) =>
          (await import("./generate.js")).runGenerate({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  to.declare(
    "stubs",
    "Creates the missing handler files of every API with x-tenon.handlers. Never changes an existing file.",
    "stubs v1",
  )
    .argument("[api...]", APIS)
    .option(...JSON_FLAG)
    .action(
      to.run(
        async (apis: string[], options: Omit<StubsOptions, "apis">) =>
          (await import("./stubs.js")).runStubs({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );
}
