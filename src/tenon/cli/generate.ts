import { relative } from "node:path";
import { parseArgs } from "node:util";
import { type ApiConfig, loadApis } from "../contract/config.js";
import type { Problem } from "../contract/problem.js";
import { ContractError } from "../errors.js";
import { describeChanges } from "./describe-changes.js";
import { emitApi, type EmittedApi } from "./emit-api.js";
import { countLines, type FileChange, findStray, planChanges, writeChanges } from "./file-changes.js";
import { formatProblem } from "./format-problem.js";

/** What a command sees of its surroundings. */
export interface CommandContext {
  /** Absolute path of the folder that redocly.yaml is in. */
  readonly cwd: string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** How the user calls the command, for help and hints: `tenon generate`, or `npm run generate --`. */
  readonly command: string;
}

/** 0: fine. 1: the contract has errors, or with `--check` files differ. 2: bad usage. */
export type ExitCode = 0 | 1 | 2;

const help = (command: string): string => `Usage: ${command} [--check] [api ...]

Writes types.ts, server.ts, client.ts and contract.json for every API of redocly.yaml that has an output:

  apis:
    v1:
      root: openapi/v1.yaml
      x-tenon: { output: generated/v1 }

Options:
  --check  Write nothing; exit 1 when a file is missing, differs or is stray.
  --help   Show this text.

Example:
  ${command} --check v1
`;

interface Plan extends EmittedApi {
  readonly api: ApiConfig;
  readonly changes: readonly FileChange[];
  readonly stray: readonly string[];
}

/**
 * Runs `tenon generate`: contracts to generated files. When any contract has an error, nothing is written for any API.
 * @param argv What follows the command's name.
 */
export async function runGenerate(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const usage = readUsage(argv);
  if (typeof usage === "string") return refuse(usage, context);
  if (usage.help) {
    context.stdout.write(help(context.command));
    return 0;
  }
  try {
    const apis = await loadApis(context.cwd);
    const unknown = usage.apis.find((name) => !apis.some((api) => api.name === name));
    if (unknown !== undefined) {
      const known = apis.map(({ name }) => name).join(", ");
      return refuse(`Unknown API "${unknown}": redocly.yaml has an output for ${known}.`, context);
    }
    const selected = apis.filter(({ name }) => usage.apis.length === 0 || usage.apis.includes(name));
    const plans = await planAll(selected, context);
    return usage.check ? check(plans, context) : await write(plans, context);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    printProblems(error.problems, context);
    return 1;
  }
}

function readUsage(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { check: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    return { ...values, apis: positionals };
  } catch (error) {
    return (error as Error).message;
  }
}

function refuse(message: string, { stderr, command }: CommandContext): ExitCode {
  stderr.write(`${message}\nRun "${command} --help" to see what is possible.\n`);
  return 2;
}

/** @throws {ContractError} with the problems of all APIs when one of them has an error. */
async function planAll(apis: readonly ApiConfig[], context: CommandContext): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  const problems: Problem[] = [];
  for (const api of apis) {
    try {
      const emitted = await emitApi(api, context.cwd);
      problems.push(...emitted.warnings);
      const changes = await planChanges(api.output, emitted.files);
      plans.push({ ...emitted, api, changes, stray: await findStray(api.output, emitted.files) });
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (plans.length < apis.length) throw new ContractError(problems);
  printProblems(problems, context);
  return plans;
}

function check(plans: readonly Plan[], { cwd, stdout, stderr, command }: CommandContext): ExitCode {
  const drift = plans.flatMap(({ changes, stray }) => [
    ...changes.flatMap(({ kind, path }) => {
      if (kind === "unchanged") return [];
      return [`${kind === "created" ? "missing" : "differs"}  ${relative(cwd, path)}`];
    }),
    ...stray.map((path) => `stray    ${relative(cwd, path)}`),
  ]);
  if (drift.length === 0) {
    stdout.write("Generated files are up to date.\n");
    return 0;
  }
  stderr.write(`${drift.join("\n")}\nRun "${command.replace(/ --$/, "")}" and delete stray files.\n`);
  return 1;
}

async function write(plans: readonly Plan[], { cwd, stdout }: CommandContext): Promise<ExitCode> {
  for (const { api, changes } of plans) await writeChanges(api.output, changes);
  for (const { changes, stray } of plans) {
    for (const change of changes) {
      if (change.kind === "unchanged") continue;
      const { added, removed } = countLines(change.before, change.after);
      stdout.write(`${change.kind}  ${relative(cwd, change.path)}  +${added} -${removed}\n`);
      if (!change.path.endsWith("contract.json")) continue;
      for (const line of describeChanges(change.before, change.after)) stdout.write(`  ${line}\n`);
    }
    for (const path of stray) stdout.write(`stray    ${relative(cwd, path)}\n`);
  }
  const unchanged = plans.flatMap(({ changes }) => changes).filter(({ kind }) => kind === "unchanged").length;
  if (unchanged > 0) stdout.write(`${unchanged} ${unchanged === 1 ? "file" : "files"} unchanged\n`);
  return 0;
}

function printProblems(problems: readonly Problem[], { cwd, stderr }: CommandContext): void {
  for (const problem of problems) stderr.write(formatProblem(problem, cwd));
}
