import { toCount } from "../output/option-values.js";
import { APIS, type Declarations, JSON_FLAG, NOTHING_WRITTEN } from "./declare.js";

/** Declares the commands that check contracts and write code. */
export function declareCodeCommands(to: Declarations): void {
  const { context } = to;
  const init = to
    .declare(
      "init",
      "Creates a small service in an empty folder and prints the two commands that run it.",
      "init my-service",
    )
    .argument("[dir]", "folder of the service; created if it does not exist", ".")
    .action((folder: string) =>
      to.run(init, async () => (await import("./init.js")).runInit({ folder }, context), { alone: true }),
    );

  const lint = to
    .declare(
      "lint",
      "Checks contracts against the rules of redocly.yaml, and whether code can be generated from them.",
      "lint v1 --max-warnings 0",
    )
    .argument("[api...]", APIS)
    .option("--max-warnings <number>", "exit 1 when there are more warnings", toCount)
    .option(...JSON_FLAG)
    .action((apis: string[], options: { maxWarnings?: number; json?: boolean }) =>
      to.run(lint, async () => (await import("./lint.js")).runLint({ apis, ...options }, context)),
    );

  const generate = to
    .declare(
      "generate",
      "Generates types.ts, server.ts, client.ts and contract.json for every API with an x-tenon.output.",
      "generate --check v1",
    )
    .argument("[api...]", APIS)
    .option("--check", "write nothing; exit 1 when a generated file is missing, outdated or unexpected")
    .option(...JSON_FLAG)
    .action((apis: string[], options: { check?: boolean; json?: boolean }) =>
      to.run(
        generate,
        async () => (await import("./generate.js")).runGenerate({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  const stubs = to
    .declare(
      "stubs",
      "Creates the missing handler files of every API with x-tenon.handlers. Never changes an existing file.",
      "stubs v1",
    )
    .argument("[api...]", APIS)
    .option(...JSON_FLAG)
    .action((apis: string[], options: { json?: boolean }) =>
      to.run(
        stubs,
        async () => (await import("./stubs.js")).runStubs({ apis, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );
}
