import { stat } from "node:fs/promises";
import { CHANGELOG_FILE } from "../changelog/index.js";
import { type ApiConfig, type FolderChanges, planChanges } from "../project/index.js";
import { ContractError, type Problem } from "tenon/core/document";
import type { CommandContext } from "../output/context.js";
import { emitApi, type EmitApiOptions, type EmittedApi } from "./emit-api.js";
import { createLintProcess } from "./lint-process.js";
import { withProgress } from "../output/progress.js";

/** From this size of the root document in bytes, linting takes longer than starting a process that reads it again. */
const LARGE = 8_000_000;

/** The effect of generating one API. */
export interface Plan extends EmittedApi, FolderChanges {
  readonly api: ApiConfig;
  /** Warnings of rules that are still running, see {@link GeneratorOptions.defersWarnings}. */
  readonly deferred?: Promise<readonly Problem[]>;
}

export interface GeneratorOptions {
  /**
   * Defers the rules that only warn for a large contract. They take longer than everything else, because they compile the schema of
   * each example. Default: false.
   */
  readonly defersWarnings?: boolean;
}

export interface Generator {
  /**
   * Emits every API and compares the text with the files on disk. Nothing is written.
   * @throws {ContractError} with the problems of all APIs if one of them has an error.
   */
  plan(apis: readonly ApiConfig[]): Promise<readonly Plan[]>;
  close(): void;
}

/** Creates a generator for repeated use: it reuses the text of unchanged parts of a contract. */
export function createGenerator(
  context: CommandContext,
  { defersWarnings = false }: GeneratorOptions = {},
): Generator {
  const { cwd: directory } = context;
  const linter = createLintProcess();
  const warner = createLintProcess();
  /** Results by the settings that affect the text besides the contract. */
  const emitted = new Map<string, EmittedApi>();
  const caches = new Map<string, Map<string, string>>();

  /** An {@link EmittedApi} with its pending warnings. */
  type Emitted = EmittedApi & Pick<Plan, "deferred">;

  async function emit({ config, ...api }: ApiConfig): Promise<Emitted> {
    const key = JSON.stringify(api);
    const cache = caches.get(api.name) ?? new Map<string, string>();
    caches.set(api.name, cache);
    const result = await emitLinted({ ...api, config }, { last: emitted.get(key), cache });
    emitted.set(key, result);
    return result;
  }

  /** Emits an API and lints it. Another process lints a large contract at the same time. */
  async function emitLinted(api: ApiConfig, options: EmitApiOptions): Promise<Emitted> {
    const size = await stat(api.root).then(
      (found) => found.size,
      () => 0,
    );
    if (size < LARGE) return emitApi(api, directory, options);
    const [linted, result] = await Promise.allSettled([
      linter.lint({ directory, name: api.name, ...(defersWarnings && { severity: "error" }) }),
      emitApi(api, directory, { ...options, lint: false }),
    ]);
    // An invalid contract fails in both; the lint problems are the causes.
    if (linted.status === "rejected") throw linted.reason;
    const problems = linted.value;
    if (result.status === "fulfilled") {
      const warnings = [...problems, ...result.value.warnings];
      if (!defersWarnings) return { ...result.value, warnings };
      const deferred = warner.lint({ directory, name: api.name, severity: "warn" });
      // The reader of the plan handles a failure; a discarded plan has no reader.
      deferred.catch(() => undefined);
      return { ...result.value, warnings, deferred };
    }
    const reason: unknown = result.reason;
    throw reason instanceof ContractError ? new ContractError([...problems, ...reason.problems]) : reason;
  }

  return {
    plan: (apis) =>
      withProgress(context, async (show) => {
        const plans: Plan[] = [];
        const problems: Problem[] = [];
        for (const api of apis) {
          show(`Generating ${api.name}`);
          try {
            const result = await emit(api);
            problems.push(...result.warnings);
            plans.push({
              ...result,
              ...(await planChanges(api.output, result.files, [CHANGELOG_FILE, "docs"])),
              api,
            });
          } catch (error) {
            if (!(error instanceof ContractError)) throw error;
            problems.push(...error.problems);
          }
        }
        if (plans.length < apis.length) throw new ContractError(problems);
        return plans;
      }),
    close: () => {
      linter.close();
      warner.close();
    },
  };
}
