import { type CommandContext, type ExitCode, printJson } from "../output/context.js";
import {
  createGenerator,
  describeChange,
  type Plan,
  printChanges,
  printWarnings,
} from "../generator/index.js";
import { countLines, selectApis, writeChanges } from "../project/index.js";
import { toJsonProblem, uniqueProblems } from "../output/format-problem.js";
import { showPath } from "../output/show-path.js";

/** The arguments and options of the command, which its help describes. */
export interface GenerateOptions {
  readonly apis: readonly string[];
  readonly check?: boolean;
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
  if (!check) await writeChanges(plans.flatMap(({ changes }) => changes));
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
      stderr.write(`${DRIFT[kind]}  ${showPath(path, cwd)}\n`);
    }
    for (const path of stray) stderr.write(`stray    ${showPath(path, cwd)}\n`);
  }
  stderr.write(`Run "${program} generate" and delete stray files.\n`);
}

function toJson(plans: readonly Plan[], { cwd }: CommandContext) {
  return {
    problems: uniqueProblems(plans.flatMap(({ warnings }) => warnings)).map((problem) =>
      toJsonProblem(problem, cwd),
    ),
    files: plans.flatMap(({ api, changes }) =>
      changes.map(({ path, kind, before, after }) => ({
        api: api.name,
        path: showPath(path, cwd),
        kind,
        ...countLines(before, after),
      })),
    ),
    stray: plans.flatMap(({ stray }) => stray.map((path) => showPath(path, cwd))),
    changes: plans.flatMap(({ api, changes }) =>
      changes.flatMap(describeChange).map((change) => ({ api: api.name, change })),
    ),
  };
}
