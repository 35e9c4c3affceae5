import { relative } from "node:path";
import type { Problem } from "tenon/core/document";
import { type CommandContext, type ExitCode, printJson } from "../output/context.js";
import { createGenerator, describeChanges, type Plan } from "../generator/index.js";
import { countLines, type FileChange, selectApis, writeChanges } from "../project/index.js";
import { MAX_PRINTED, toJsonProblem, writeProblems } from "../output/format-problem.js";

export interface GenerateOptions {
  /** Names of APIs; empty for all. */
  readonly apis: readonly string[];
  /** Write nothing; files that differ are exit code 1. Default: false. */
  readonly check?: boolean;
  /** Default: false. */
  readonly json?: boolean;
}

/**
 * Turns contracts into generated files. When any contract has an error, nothing is written for any API.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runGenerate(options: GenerateOptions, context: CommandContext): Promise<ExitCode> {
  const { check = false, json = false } = options;
  const apis = await selectApis(options.apis, context.cwd);
  const generator = createGenerator(context);
  const plans = await generator.plan(apis).finally(() => {
    generator.close();
  });
  if (!check) await writePlans(plans);
  if (json) printJson(toJson(plans, context), context);
  else
    printWarnings(
      plans.flatMap(({ warnings }) => warnings),
      context,
    );
  const upToDate = plans.every(
    ({ changes, stray }) => stray.length === 0 && changes.every(({ kind }) => kind === "unchanged"),
  );
  if (!json && !check) printChanges(plans, context);
  if (!json && check) printDrift(plans, upToDate, context);
  return check && !upToDate ? 1 : 0;
}

/** @throws {WriteError} before any file of any API is changed. */
export async function writePlans(plans: readonly Plan[]): Promise<void> {
  await writeChanges(plans.flatMap(({ changes }) => changes));
}

/** Prints only the first warnings, on a terminal or not: `tenon lint` prints all. */
export function printWarnings(warnings: readonly Problem[], context: CommandContext): void {
  writeProblems(warnings, context.stderr, context, MAX_PRINTED);
}

/** Prints the written files, and below each contract.json the changed operations and components with their API. */
export function printChanges(plans: readonly Plan[], { cwd, stdout }: CommandContext): void {
  for (const { api, changes, stray } of plans) {
    const whose = plans.length > 1 ? `${api.name}: ` : "";
    for (const change of changes) {
      if (change.kind === "unchanged") continue;
      const { added, removed } = countLines(change.before, change.after);
      stdout.write(`${change.kind}  ${relative(cwd, change.path)}  +${added} -${removed}\n`);
      for (const line of describeContractChanges(change)) stdout.write(`  ${whose}${line}\n`);
    }
    for (const path of stray) stdout.write(`stray    ${relative(cwd, path)}\n`);
  }
  const unchanged = plans.flatMap(({ changes }) => changes).filter(({ kind }) => kind === "unchanged").length;
  if (unchanged > 0) stdout.write(`${unchanged} ${unchanged === 1 ? "file" : "files"} unchanged\n`);
}

const DRIFT = { created: "missing", changed: "differs", removed: "stale  " } as const;

function printDrift(plans: readonly Plan[], upToDate: boolean, context: CommandContext): void {
  const { cwd, stdout, stderr, program } = context;
  if (upToDate) {
    stdout.write("Generated files are up to date.\n");
    return;
  }
  for (const { changes, stray } of plans) {
    for (const { kind, path } of changes) {
      if (kind === "unchanged") continue;
      stderr.write(`${DRIFT[kind]}  ${relative(cwd, path)}\n`);
    }
    for (const path of stray) stderr.write(`stray    ${relative(cwd, path)}\n`);
  }
  stderr.write(`Run "${program} generate" and delete stray files.\n`);
}

function toJson(plans: readonly Plan[], { cwd }: CommandContext) {
  return {
    problems: plans.flatMap(({ warnings }) => warnings.map((problem) => toJsonProblem(problem, cwd))),
    files: plans.flatMap(({ api, changes }) =>
      changes.map(({ path, kind, before, after }) => ({
        api: api.name,
        path: relative(cwd, path),
        kind,
        ...countLines(before, after),
      })),
    ),
    stray: plans.flatMap(({ stray }) => stray.map((path) => relative(cwd, path))),
    changes: plans.flatMap(({ api, changes }) =>
      changes.flatMap(describeContractChanges).map((change) => ({ api: api.name, change })),
    ),
  };
}

function describeContractChanges({ path, kind, before, after }: FileChange): readonly string[] {
  // Everything in a new contract is new.
  return kind === "changed" && path.endsWith("contract.json") ? describeChanges(before, after) : [];
}
