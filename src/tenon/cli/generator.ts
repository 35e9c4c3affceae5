import { stat } from "node:fs/promises";
import type { ApiConfig } from "../contract/config.js";
import type { Problem } from "../contract/problem.js";
import { ContractError } from "../errors.js";
import type { CommandContext } from "./context.js";
import { emitApi, type EmitApiOptions, type EmittedApi } from "./emit-api.js";
import { type FolderChanges, planChanges } from "./file-changes.js";
import { createLintProcess } from "./lint-process.js";
import { withProgress } from "./progress.js";

/** A root document of this many bytes takes longer to lint than a process takes to start. */
const LARGE = 500_000;

/** What generating one API would do. */
export interface Plan extends EmittedApi, FolderChanges {
  readonly api: ApiConfig;
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
export function createGenerator(context: CommandContext): Generator {
  const { cwd: directory } = context;
  const linter = createLintProcess();
  /** By all that text depends on besides the contract. */
  const emitted = new Map<string, EmittedApi>();
  const caches = new Map<string, Map<string, string>>();

  async function emit({ config, ...api }: ApiConfig): Promise<EmittedApi> {
    const key = JSON.stringify(api);
    const cache = caches.get(api.name) ?? new Map<string, string>();
    caches.set(api.name, cache);
    const result = await emitLinted({ ...api, config }, { last: emitted.get(key), cache });
    emitted.set(key, result);
    return result;
  }

  /** A large contract is linted meanwhile, by another process. */
  async function emitLinted(api: ApiConfig, options: EmitApiOptions): Promise<EmittedApi> {
    const size = await stat(api.root).then(
      (found) => found.size,
      () => 0,
    );
    if (size < LARGE) return emitApi(api, directory, options);
    const [linted, result] = await Promise.allSettled([
      linter.lint({ directory, name: api.name }),
      emitApi(api, directory, { ...options, lint: false }),
    ]);
    // What keeps a broken contract from being generated from follows from what lint finds in it.
    if (linted.status === "rejected") throw linted.reason;
    const problems = linted.value;
    if (result.status === "fulfilled")
      return { ...result.value, warnings: [...problems, ...result.value.warnings] };
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
            plans.push({ ...result, ...(await planChanges(api.output, result.files)), api });
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
    },
  };
}
