import {
  type ApiConfig,
  type Fixed,
  loadFixes,
  loadModel,
  selectApis,
  toFileChange,
  writeChanges,
} from "../project/index.js";
import { ContractError, parsePointer, type Problem } from "tenon/core/document";
import { type CommandContext, type ExitCode, printJson } from "../output/context.js";
import { count } from "../output/count.js";
import { sortProblems, toJsonProblem, uniqueProblems, writeProblems } from "../output/format-problem.js";
import { toVisible } from "../output/visible.js";
import { withProgress } from "../output/terminal.js";
import { showPath } from "../output/show-path.js";

/** The arguments and options of the command, which its help describes. */
export interface LintOptions {
  readonly apis: readonly string[];
  readonly maxWarnings?: number;
  /** Applies the fixes of problems that have exactly one. */
  readonly fix?: boolean;
  readonly json?: boolean;
}

/** A fix can reveal other problems: first syntax and references are checked, then the rest. */
const MOST_ROUNDS = 10;

/**
 * Prints every problem of the contracts: violations of redocly.yaml's rules, and errors that prevent generation.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runLint(options: LintOptions, context: CommandContext): Promise<ExitCode> {
  const { maxWarnings = Infinity, json = false, fix = false } = options;
  const { cwd, stdout } = context;
  const apis = await selectApis(options.apis, cwd);
  let fixed: readonly Fixed[] = [];
  const problems = await withProgress(context, async (report) => {
    for (let round = 1; ; round += 1) {
      const found = await findAll(apis, report);
      if (!fix || round > MOST_ROUNDS) return found;
      const { planFixes } = await loadFixes();
      const plan = await planFixes(found, apis, cwd);
      if (plan.edited.length === 0) return found;
      await writeChanges(await Promise.all(plan.edited.map(toFileChange)));
      fixed = [...fixed.map((one) => moveLine(one, plan.fixed)), ...plan.fixed];
    }
  });
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  if (json) {
    const shown = sortProblems(problems).map((problem) => toJsonProblem(problem, cwd));
    const done = fixed.map(({ problem, line }) => ({ ...toJsonProblem(problem, cwd), line }));
    printJson({ errors, warnings, ...(fix && { fixed: done }), problems: shown }, context);
  } else {
    for (const one of fixed) stdout.write(`${formatFixed(one, cwd)}\n`);
    writeProblems(problems, stdout, context);
    const done = fix ? `${count(fixed.length, "problem")} fixed, ` : "";
    stdout.write(`${done}${count(errors, "error")}, ${count(warnings, "warning")}\n`);
  }
  return errors > 0 || warnings > maxWarnings ? 1 : 0;
}

/** Several APIs can share a file, and so its problems. */
async function findAll(
  apis: readonly ApiConfig[],
  report: (step: string) => void,
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  for (const api of apis) {
    report(`Linting ${api.name}`);
    found.push(...(await findProblems(api)));
  }
  return uniqueProblems(found);
}

/** Moves the line of a fix below the lines that later fixes have added before it. */
function moveLine(fixed: Fixed, later: readonly Fixed[]): Fixed {
  const line = later
    .filter(({ problem }) => problem.file === fixed.problem.file)
    .reduce((moved, { line: at, added }) => (at <= moved ? moved + added : moved), fixed.line);
  return { ...fixed, line };
}

/** `openapi/v1.yaml:12  struct  fixed: operationid is now operationId` */
function formatFixed({ problem: { file, code }, fix, line }: Fixed, cwd: string): string {
  const { change, pointer, text } = fix;
  const member = parsePointer(pointer).at(-1) ?? "";
  const what = {
    key: `${member} is now ${text}`,
    value: `${member} is now ${JSON.stringify(text)}`,
    member: `added ${text}`,
  }[change];
  return toVisible(`${showPath(file, cwd)}:${line}  ${code}  fixed: ${what}`);
}

async function findProblems(api: ApiConfig): Promise<readonly Problem[]> {
  try {
    return [...api.warnings, ...(await loadModel(api)).problems];
  } catch (error) {
    if (error instanceof ContractError) return [...api.warnings, ...error.problems];
    throw error;
  }
}
