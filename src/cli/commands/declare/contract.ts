import { Option } from "commander";
import type { ChangelogOptions } from "../changelog.js";
import type { DiffOptions } from "../diff.js";
import type { GenerateOptions } from "../generate.js";
import type { InitOptions } from "../init.js";
import type { LintOptions } from "../lint.js";
import { API, APIS, type ApisFlag, JSON_FLAG, type JsonFlag, NOTHING_WRITTEN, toCount } from "../options.js";
import type { RenameCommandOptions } from "../rename.js";
import type { Declarations } from "../run-command.js";
import type { StubsOptions } from "../stubs.js";

const DIFF_FORMATS = [
  "text",
  "json",
  "markdown",
  "github",
  "junit",
  "html",
] satisfies DiffOptions["format"][];

const CHANGELOG_FORMATS = ["markdown", "json", "html"] satisfies ChangelogOptions["format"][];

type DiffFlags = Omit<DiffOptions, "base" | "revision"> & JsonFlag;

type ChangelogFlags = Omit<ChangelogOptions, "range"> & JsonFlag;

/** Declares the commands that check contracts and write code. */
export function declareCode(to: Declarations): void {
  const { context } = to;
  to.declare(
    "init",
    "Creates a small service in an empty folder and prints the two commands that run it.",
    "init my-service",
  )
    .argument("[dir]", "folder of the service; created if it does not exist", ".")
    .addOption(
      new Option("--errors <format>", "error bodies: application/json, or problem details (RFC 9457)")
        .choices(["json", "problem"] satisfies InitOptions["errors"][])
        .default("json"),
    )
    .action(
      to.run(
        async (folder: string, options: Omit<InitOptions, "folder">) =>
          (await import("../init.js")).runInit({ folder, ...options }, context),
        { alone: true },
      ),
    );

  to.declare(
    "lint",
    "Checks contracts against the rules of redocly.yaml, and whether code can be generated from them.",
    "lint --api v1 --max-warnings 0",
  )
    .option(...APIS)
    .option("--max-warnings <number>", "exit 1 when there are more warnings", toCount)
    .option("--fix", "apply the fixes of problems that have exactly one, and print each")
    .option(...JSON_FLAG)
    .action(
      to.run(async ({ api = [], ...options }: Omit<LintOptions, "apis"> & ApisFlag) =>
        (await import("../lint.js")).runLint({ apis: api, ...options }, context),
      ),
    );

  to.declare(
    "generate",
    "Generates types.ts, server.ts, client.ts and contract.json for every API with an x-tenon.output.",
    "generate --check --api v1",
  )
    .option(...APIS)
    .option("--check", "write nothing; exit 1 when a generated file is missing, outdated or unexpected")
    .option(...JSON_FLAG)
    .action(
      to.run(
        async ({ api = [], ...options }: Omit<GenerateOptions, "apis"> & ApisFlag) =>
          (await import("../generate.js")).runGenerate({ apis: api, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  to.declare(
    "stubs",
    "Creates the missing handler files of every API with x-tenon.handlers. Never changes an existing file.",
    "stubs --api v1",
  )
    .option(...APIS)
    .option(...JSON_FLAG)
    .action(
      to.run(
        async ({ api = [], ...options }: Omit<StubsOptions, "apis"> & ApisFlag) =>
          (await import("../stubs.js")).runStubs({ apis: api, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  to.declare(
    "rename",
    "Renames an operation in the contract, the handlers, the tests and other code, and generates again.",
    "rename getPet showPet --dry-run",
  )
    .argument("<old>", "operationId of the operation")
    .argument("<new>", "its new operationId")
    .option(...API)
    .option("--dry-run", "show the changes and write nothing")
    .action(
      to.run(
        async (from: string, name: string, options: Omit<RenameCommandOptions, "from" | "to">) =>
          (await import("../rename.js")).runRename({ from, to: name, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );
}

/** Declares the commands that compare contracts. */
export function declareComparisons(to: Declarations): void {
  const { context } = to;
  to.declare(
    "diff",
    "Compares two contracts and reports every change, and whether it breaks clients.",
    "diff main --fail-on risky",
  )
    .argument("<base>", "a file, a URL, a git revision (main), or a file of one (HEAD~3:openapi/v1.yaml)")
    .argument("[revision]", "same as <base> (default: the contract of redocly.yaml)")
    .option(...API)
    .addOption(new Option("--format <format>", "output format").choices(DIFF_FORMATS).default("text"))
    .addOption(
      new Option("--fail-on <level>", "exit 1 for changes of this level or a higher one")
        .choices(["breaking", "risky", "none"])
        .default("breaking"),
    )
    .option("--check-version", "exit 1 when info.version is too low for the changes")
    .option("--impact", "find the code that has to change (default: when there is a tsconfig.json)")
    .option("--no-impact", "do not search for code that has to change")
    .option("--verbose", "list the kinds of parts that are never compared")
    .option(...JSON_FLAG)
    .action(
      to.run(async (base: string, revision: string | undefined, { json, ...options }: DiffFlags) =>
        (await import("../diff.js")).runDiff(
          { base, revision, ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );

  to.declare(
    "changelog",
    "Lists the changes of each version of a contract, from git's version tags.",
    "changelog --out generated/v1/changelog.json",
  )
    .argument("[range]", "v1.0.0..v2.0.0, or v1.0.0.. up to the working tree (default: all versions)")
    .option(...API)
    .option("--tags <pattern>", "git pattern of tags that end in a version: pets@* (default: v1.2.3)")
    .addOption(
      new Option(
        "--format <format>",
        "output format (default: the extension of --out, else markdown)",
      ).choices(CHANGELOG_FORMATS),
    )
    .option("--out <file>", "file to write; changelog.json beside contract.json becomes a page of the docs")
    .option(...JSON_FLAG)
    .action(
      to.run(async (range: string | undefined, { json, ...options }: ChangelogFlags) =>
        (await import("../changelog.js")).runChangelog(
          { range, ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );
}
