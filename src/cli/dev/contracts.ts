import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { type ApiConfig, isSameText, loadApis, writeChanges } from "../project/index.js";
import { ContractError } from "tenon/core/document";
import type { CommandContext } from "../output/context.js";
import { writeProblems } from "../output/format-problem.js";
import { createGenerator, type Plan, printChanges, printWarnings } from "../generator/index.js";
import { FileError } from "../output/write-files.js";
import type { Change } from "../output/watch.js";

/** The project's contracts and their generated files. */
export class Contracts {
  readonly #context: CommandContext;
  readonly #generator;
  readonly #redocly: string;
  #files: ReadonlySet<string>;
  #isGood = false;
  /** Absolute path of each generated file to its text. */
  #generated: ReadonlyMap<string, string> = new Map();
  #plans: readonly Plan[] = [];
  #apis: readonly ApiConfig[];

  constructor(apis: readonly ApiConfig[], context: CommandContext) {
    this.#context = context;
    this.#apis = apis;
    this.#generator = createGenerator(context, { defersWarnings: true });
    this.#redocly = join(context.cwd, "redocly.yaml");
    this.#files = new Set([this.#redocly, ...apis.map(({ root }) => root)]);
  }

  /** True if all generated files match the saved contracts. */
  get isGood(): boolean {
    return this.#isGood;
  }

  /** Absolute paths of redocly.yaml and of every file of the last good contracts; URLs cannot be watched. */
  get files(): readonly string[] {
    return [...this.#files].filter(isAbsolute);
  }

  /** The last generated files; empty while a contract has errors. */
  get plans(): readonly Plan[] {
    return this.#plans;
  }

  /** Tests whether a change affects the contracts. While a contract has errors, its files are unknown. */
  concerns({ path }: Change): boolean {
    const isUnknown = !this.#isGood && /\.(?:json|ya?ml)$/.test(path);
    return this.#files.has(path) || isUnknown || this.#generated.has(path);
  }

  /** Tests whether a change affects the docs alone: redocly.yaml, a guide or its pictures, or the logo. */
  concernsDocs({ path }: Change): boolean {
    if (path === this.#redocly) return true;
    return this.#apis.some(({ docs }) => {
      const { guides = [], logo, favicon } = docs ?? {};
      const isBeside = guides.some((guide) => path.startsWith(dirname(guide) + sep));
      return [...guides, logo, favicon].includes(path) || (isBeside && !/\.(?:md|[cm]?tsx?)$/.test(path));
    });
  }

  /** Tests whether a generated file was changed by hand. While a contract has errors, its generated files are unknown. */
  isEdited(path: string): boolean {
    const text = this.#isGood ? this.#generated.get(path) : undefined;
    return text !== undefined && !isSameText(readText(path), text);
  }

  /**
   * Lints, generates, and prints the problems or changes.
   * @returns Whether a generated file changed.
   * @throws {FileError}
   */
  async follow(): Promise<boolean> {
    try {
      return await this.#generate();
    } catch (error) {
      this.#isGood = false;
      this.#plans = [];
      if (error instanceof FileError) throw error;
      this.#printFailure(error);
      return false;
    }
  }

  close(): void {
    this.#plans = [];
    this.#generator.close();
  }

  async #generate(): Promise<boolean> {
    const apis = await loadApis(this.#context.cwd);
    this.#apis = apis;
    const plans = await this.#generator.plan(apis);
    const changes = plans.flatMap((plan) => plan.changes);
    await writeChanges(changes);
    this.#isGood = true;
    this.#generated = new Map(changes.map(({ path, after }) => [path, after]));
    this.#plans = plans;
    this.#files = new Set([this.#redocly, ...plans.flatMap(({ sources }) => sources)]);
    const warnings = plans.flatMap((plan) => plan.warnings);
    printWarnings(warnings, this.#context);
    const isChanged = changes.some(({ kind }) => kind !== "unchanged");
    if (isChanged) printChanges(plans, this.#context);
    void this.#printDeferred(plans);
    return isChanged;
  }

  /** Prints warnings that take longer, unless there is a newer contract by then. */
  async #printDeferred(plans: readonly Plan[]): Promise<void> {
    try {
      const found = await Promise.all(plans.flatMap(({ deferred }) => deferred ?? []));
      if (this.#plans === plans) printWarnings(found.flat(), this.#context);
    } catch (error) {
      if (this.#plans === plans) this.#printFailure(error);
    }
  }

  #printFailure(error: unknown): void {
    const { stderr } = this.#context;
    if (error instanceof ContractError) writeProblems(error.problems, stderr, this.#context);
    // For example a lint rule of the project that throws; the next save may fix it.
    else stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
}

/** Empty for a missing file, as the text of a file that must not exist. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
