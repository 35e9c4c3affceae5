import { relative } from "node:path";
import type { Problem } from "../contract/problem.js";
import { type CommandContext, type ExitCode, printJson } from "./context.js";
import { describeChanges } from "./describe-changes.js";
import { countLines, type FileChange, writeChanges } from "./file-changes.js";
import { formatProblem, toJsonProblem } from "./format-problem.js";
import { createGenerator, type Plan } from "./generator.js";
import { selectApis } from "./select-apis.js";

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
 * @throws {ContractError | UsageError}
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

export async function writePlans(plans: readonly Plan[]): Promise<void> {
  for (const { changes } of plans) await writeChanges(changes);
}

/** Most warnings that are told of one run: who wants more is at work on them. */
const MOST_TOLD = 100;

export function printWarnings(warnings: readonly Problem[], { cwd, stderr, program }: CommandContext): void {
  const told = warnings.slice(0, MOST_TOLD).map((problem) => formatProblem(problem, cwd));
  const rest = warnings.length - told.length;
  if (rest > 0) told.push(`${rest} more warnings; "${program} lint" tells all of them.\n`);
  if (told.length > 0) stderr.write(told.join(""));
}

/** Tells what was written, and below each contract.json which operations and components changed. */
export function printChanges(plans: readonly Plan[], { cwd, stdout }: CommandContext): void {
  for (const { changes, stray } of plans) {
    for (const change of changes) {
      if (change.kind === "unchanged") continue;
      const { added, removed } = countLines(change.before, change.after);
      stdout.write(`${change.kind}  ${relative(cwd, change.path)}  +${added} -${removed}\n`);
      for (const line of describeContractChanges(change)) stdout.write(`  ${line}\n`);
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
  const changes = plans.flatMap((plan) => plan.changes);
  return {
    problems: plans.flatMap(({ warnings }) => warnings.map((problem) => toJsonProblem(problem, cwd))),
    files: changes.map(({ path, kind, before, after }) => ({
      path: relative(cwd, path),
      kind,
      ...countLines(before, after),
    })),
    stray: plans.flatMap(({ stray }) => stray.map((path) => relative(cwd, path))),
    changes: changes.flatMap(describeContractChanges),
  };
}

function describeContractChanges({ path, kind, before, after }: FileChange): readonly string[] {
  // Of a new contract everything is new.
  return kind === "changed" && path.endsWith("contract.json") ? describeChanges(before, after) : [];
}
