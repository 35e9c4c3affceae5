import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ApiConfig, loadApis } from "../project/config.js";
import { ContractError } from "tenon/core/document/contract-error";
import type { CommandContext } from "../output/context.js";
import { writeProblems } from "../output/format-problem.js";
import { printChanges, printWarnings, writePlans } from "../commands/generate.js";
import { createGenerator, type Plan } from "../project/generator.js";
import { WriteError } from "../output/write-error.js";
import type { Change } from "./watch.js";

/** The project's contracts and what is generated from them. */
export interface Contracts {
  /** Whether everything generated is from what the contracts say now. */
  readonly isGood: boolean;
  /** Absolute paths of redocly.yaml and of every file that the contracts were made of when they were last good. */
  readonly files: readonly string[];
  /** What was generated last; empty while a contract is broken. */
  readonly plans: readonly Plan[];
  concerns(change: Change): boolean;
  /** Whether a generated file is not what was generated any more. */
  isEdited(path: string): boolean;
  /**
   * Lints, generates, and prints what is wrong or what changed.
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
  /** What was generated last. */
  let current: readonly Plan[] = [];

  /** Tells of warnings that come later, unless there is a newer contract by then. */
  async function tellDeferred(plans: readonly Plan[]): Promise<void> {
    const found = await Promise.all(plans.flatMap(({ deferred }) => deferred ?? []));
    if (current === plans) printWarnings(found.flat(), context);
  }

  async function generate(): Promise<boolean> {
    const plans = await generator.plan(await loadApis(cwd));
    await writePlans(plans);
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
    tellDeferred(plans).catch((error: unknown) => {
      if (current === plans) tellFailure(error);
    });
    return changed;
  }

  function tellFailure(error: unknown): void {
    if (error instanceof ContractError) writeProblems(error.problems, stderr, context);
    // Such as a lint rule of the project's own that throws: the next save may mend it.
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
    // While a contract is broken, nobody knows which files it would refer to.
    concerns: ({ path }) =>
      files.has(path) || (!isGood && /\.(?:json|ya?ml)$/.test(path)) || generated.has(path),
    // While a contract is broken, what it would give is not known.
    isEdited: (path) => isGood && generated.has(path) && generated.get(path) !== readText(path),
    async follow() {
      try {
        return await generate();
      } catch (error) {
        isGood = false;
        current = [];
        if (error instanceof WriteError) throw error;
        tellFailure(error);
        return false;
      }
    },
    close: () => {
      current = [];
      generator.close();
    },
  };
}

/** Empty where there is no file, as the text of a file that is not to be. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
