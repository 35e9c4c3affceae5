import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ApiConfig, loadApis, writeChanges } from "../project/index.js";
import { ContractError } from "tenon/core/document";
import type { CommandContext } from "../output/context.js";
import { writeProblems } from "../output/format-problem.js";
import { createGenerator, type Plan, printChanges, printWarnings } from "../generator/index.js";
import { WriteError } from "../output/write-files.js";
import type { Change } from "./watch.js";

/** The project's contracts and their generated files. */
export interface Contracts {
  /** True if all generated files match the saved contracts. */
  readonly isGood: boolean;
  /** Absolute paths of redocly.yaml and of every file of the last good contracts. */
  readonly files: readonly string[];
  /** The last generated files; empty while a contract has errors. */
  readonly plans: readonly Plan[];
  concerns(change: Change): boolean;
  /** Tests whether a generated file was changed by hand. */
  isEdited(path: string): boolean;
  /**
   * Lints, generates, and prints the problems or changes.
   * @returns Whether a generated file changed.
   * @throws {WriteError}
   */
  follow(): Promise<boolean>;
  close(): void;
}

export function createContracts(apis: readonly ApiConfig[], context: CommandContext): Contracts {
  const { cwd, stderr } = context;
  const generator = createGenerator(context, { defersWarnings: true });
  const redocly = join(cwd, "redocly.yaml");
  let files = new Set([redocly, ...apis.map(({ root }) => root)]);
  let isGood = false;
  /** Absolute path of each generated file to its text. */
  let generated: ReadonlyMap<string, string> = new Map();
  let current: readonly Plan[] = [];

  /** Prints warnings that take longer, unless there is a newer contract by then. */
  async function printDeferred(plans: readonly Plan[]): Promise<void> {
    const found = await Promise.all(plans.flatMap(({ deferred }) => deferred ?? []));
    if (current === plans) printWarnings(found.flat(), context);
  }

  async function generate(): Promise<boolean> {
    const plans = await generator.plan(await loadApis(cwd));
    await writeChanges(plans.flatMap(({ changes }) => changes));
    isGood = true;
    generated = new Map(plans.flatMap(({ changes }) => changes.map(({ path, after }) => [path, after])));
    current = plans;
    files = new Set([redocly, ...plans.flatMap(({ sources }) => sources)]);
    const changed = plans.some(({ changes }) => changes.some(({ kind }) => kind !== "unchanged"));
    printWarnings(
      plans.flatMap(({ warnings }) => warnings),
      context,
    );
    if (changed) printChanges(plans, context);
    printDeferred(plans).catch((error: unknown) => {
      if (current === plans) printFailure(error);
    });
    return changed;
  }

  function printFailure(error: unknown): void {
    if (error instanceof ContractError) writeProblems(error.problems, stderr, context);
    // For example a lint rule of the project that throws; the next save may fix it.
    else stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }

  return {
    get isGood() {
      return isGood;
    },
    get plans() {
      return current;
    },
    get files() {
      return [...files];
    },
    // While a contract has errors, its files are unknown.
    concerns: ({ path }) =>
      files.has(path) || (!isGood && /\.(?:json|ya?ml)$/.test(path)) || generated.has(path),
    // While a contract has errors, its generated files are unknown.
    isEdited: (path) => isGood && generated.has(path) && generated.get(path) !== readText(path),
    async follow() {
      try {
        return await generate();
      } catch (error) {
        isGood = false;
        current = [];
        if (error instanceof WriteError) throw error;
        printFailure(error);
        return false;
      }
    },
    close: () => {
      current = [];
      generator.close();
    },
  };
}

/** Empty for a missing file, as the text of a file that must not exist. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
