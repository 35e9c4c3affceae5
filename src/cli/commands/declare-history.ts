import { Option } from "commander";
import type { ChangelogOptions } from "./changelog.js";
import { API, type Declarations, JSON_FLAG } from "./declare.js";
import type { DiffOptions } from "./diff.js";

const DIFF_FORMATS: readonly NonNullable<DiffOptions["format"]>[] = [
  "text",
  "json",
  "markdown",
  "github",
  "junit",
  "html",
];

const CHANGELOG_FORMATS: readonly NonNullable<ChangelogOptions["format"]>[] = ["markdown", "json", "html"];

type DiffFlags = Omit<DiffOptions, "base" | "revision"> & { readonly json?: boolean };

type ChangelogFlags = Omit<ChangelogOptions, "range"> & { readonly json?: boolean };

/** Declares the commands that compare contracts. */
export function declareHistoryCommands(to: Declarations): void {
  const { context } = to;
  const diff = to
    .declare(
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
    .option(...JSON_FLAG)
    .action((base: string, revision: string | undefined, { json, ...options }: DiffFlags) =>
      to.run(diff, async () =>
        (await import("./diff.js")).runDiff(
          { base, ...(revision !== undefined && { revision }), ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );

  const changelog = to
    .declare(
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
    .action((range: string | undefined, { json, ...options }: ChangelogFlags) =>
      to.run(changelog, async () =>
        (await import("./changelog.js")).runChangelog(
          { ...(range !== undefined && { range }), ...options, ...(json && { format: "json" }) },
          context,
        ),
      ),
    );
}
