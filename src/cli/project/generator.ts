import { stat } from "node:fs/promises";
import { CHANGELOG_FILE } from "../changelog/changelog.js";
import type { ApiConfig } from "./config.js";
import type { Problem } from "tenon/core/document/problem";
import { ContractError } from "tenon/core/document/contract-error";
import type { CommandContext } from "../output/context.js";
import { emitApi, type EmitApiOptions, type EmittedApi } from "./emit-api.js";
import { type FolderChanges, planChanges } from "./file-changes.js";
import { createLintProcess } from "./lint-process.js";
import { withProgress } from "../output/progress.js";

/** A root document of this many bytes takes much longer to lint than a process to start and to read it once more. */
const LARGE = 8_000_000;

/** What generating one API would do. */
export interface Plan extends EmittedApi, FolderChanges {
  readonly api: ApiConfig;
  /** Warnings that are still being looked for, see {@link GeneratorOptions.defersWarnings}. */
  readonly deferred?: Promise<readonly Problem[]>;
}

export interface GeneratorOptions {
  /**
   * Whether a plan need not wait for those rules that only warn, on a large contract: they take longer than all else, because
   * most of them is to compile the schema of each example. Default: false.
   */
  readonly defersWarnings?: boolean;
}

export interface Generator {
  /**
   * Emits every API and compares the text with what is on disk. Nothing is written.
   * @throws {ContractError} with the problems of all APIs when one of them has an error.
   */
  plan(apis: readonly ApiConfig[]): Promise<readonly Plan[]>;
  close(): void;
}

/** Generates again and again: what a contract's last version already gave is not made anew. */
export function createGenerator(
  context: CommandContext,
  { defersWarnings = false }: GeneratorOptions = {},
): Generator {
  const { cwd: directory } = context;
  const linter = createLintProcess();
  const warner = createLintProcess();
  /** By all that text depends on besides the contract. */
  const emitted = new Map<string, EmittedApi>();
  const caches = new Map<string, Map<string, string>>();

  /** An {@link EmittedApi}, and what is not yet known of it. */
  type Emitted = EmittedApi & Pick<Plan, "deferred">;

  async function emit({ config, ...api }: ApiConfig): Promise<Emitted> {
    const key = JSON.stringify(api);
    const cache = caches.get(api.name) ?? new Map<string, string>();
    caches.set(api.name, cache);
    const result = await emitLinted({ ...api, config }, { last: emitted.get(key), cache });
    emitted.set(key, result);
    return result;
  }

  /** A large contract is linted meanwhile, by another process. */
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
    // What keeps a broken contract from being generated from follows from what lint finds in it.
    if (linted.status === "rejected") throw linted.reason;
    const problems = linted.value;
    if (result.status === "fulfilled") {
      const warnings = [...problems, ...result.value.warnings];
      if (!defersWarnings) return { ...result.value, warnings };
      const deferred = warner.lint({ directory, name: api.name, severity: "warn" });
      // Who waits for it hears of a failure; nobody does when the plan is given up.
      deferred.catch(() => undefined);
      return { ...result.value, warnings, deferred };
    }
    const reason: unknown = result.reason;
    throw reason instanceof ContractError ? new ContractError([...problems, ...reason.problems]) : reason;
  }

  return {
    plan: (apis) =>
      withProgress(context, async (tell) => {
        const plans: Plan[] = [];
        const problems: Problem[] = [];
        for (const api of apis) {
          tell(`Generating ${api.name}`);
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
