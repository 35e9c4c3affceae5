import { Option } from "commander";
import { CHANGELOG_FORMATS, type ChangelogOptions } from "../changelog/options.js";
import { DIFF_FORMATS, DIFF_LEVELS, type DiffOptions } from "../diff/options.js";
import { API, JSON_FLAG, type JsonFlag } from "./options.js";
import type { Declarations } from "./run-command.js";

type DiffFlags = Omit<DiffOptions, "base" | "revision"> & JsonFlag;

type ChangelogFlags = Omit<ChangelogOptions, "range"> & JsonFlag;

/** Declares the commands that compare contracts. */
export function declareHistoryCommands(to: Declarations): void {
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
        .choices(DIFF_LEVELS)
        .default("breaking"),
    )
    .option("--check-version", "exit 1 when info.version is too low for the changes")
    .option("--impact", "find the code that has to change (default: when there is a tsconfig.json)")
    .option("--no-impact", "do not search for code that has to change")
    .option(...JSON_FLAG)
    .action(
      to.run(async (base: string, revision: string | undefined, { json, ...options }: DiffFlags) =>
        (await import("./diff.js")).runDiff(
          { base, ...(revision !== undefined && { revision }), ...options, ...(json && { format: "json" }) },
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
        (await import("./changelog.js")).runChangelog(
          { ...(range !== undefined && { range }), ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );
}
