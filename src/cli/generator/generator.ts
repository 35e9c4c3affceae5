import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { isAbsoluteUrl } from "@redocly/openapi-core";
import {
  type ApiConfig,
  type Finding,
  type FolderChanges,
  isLenient,
  loadServed,
  planChanges,
  toModel,
  toProblems,
} from "../project/index.js";
import { ContractError, type Problem } from "tenon/core/document";
import type { CommandContext } from "../output/context.js";
import { emitContractJson, emitFiles } from "../generate/files.js";
import type { LoadOptions } from "../load/index.js";
import { uniqueProblems } from "../output/format-problem.js";
import { LintProcess } from "./lint-process.js";
import { withProgress } from "../output/terminal.js";

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
  const linter = new LintProcess();
  const warner = new LintProcess();
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
    // Only a whole contract is linted at the same time.
    if (size < LARGE || isLenient(api.config)) return emitApi(api, directory, options);
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
              ...(await planChanges(api.output, result.files)),
              api,
            });
          } catch (error) {
            if (!(error instanceof ContractError)) throw error;
            problems.push(...error.problems);
          }
        }
        if (plans.length < apis.length) throw new ContractError(uniqueProblems(problems));
        return plans;
      }),
    close: () => {
      linter.close();
      warner.close();
    },
  };
}

interface EmittedApi {
  /** Texts by path within the API's output folder; the separator is `/`. */
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
  /** Problems of the bundled contract; the same array as long as the contract is unchanged. */
  readonly findings: readonly Finding[];
  /** Absolute paths of all files of the contract. */
  readonly sources: readonly string[];
}

interface EmitApiOptions extends LoadOptions {
  /** The last result for this API with the same settings; reused if the bundled contract is unchanged. */
  readonly last?: EmittedApi | undefined;
  /** Cache of this API, see `TypesOptions`. Default: none. */
  readonly cache?: Map<string, string>;
}

/**
 * Loads the contract of one API and emits all its files. Nothing is written.
 * @param directory The project's folder; paths in generated text are relative to it.
 * @throws {ContractError} with every problem if one of them is an error.
 */
export async function emitApi(
  api: ApiConfig,
  directory: string,
  { last, cache, ...options }: EmitApiOptions = {},
): Promise<EmittedApi> {
  const loaded = await loadServed(api, options);
  const { document, problems, files: sources } = loaded;
  const toResult = (files: EmittedApi["files"], findings: readonly Finding[]): EmittedApi => ({
    files,
    findings,
    warnings: [...api.warnings, ...problems, ...toProblems(findings, loaded)],
    sources,
  });
  if (last !== undefined && isContractOf(last, document)) return toResult(last.files, last.findings);
  const { contract, warnings } = await toModel(loaded);
  // Without its invalid defaults, the document may be the last one.
  const isChanged = warnings.some(({ code }) => code === "default-ignored");
  if (isChanged && last !== undefined && isContractOf(last, document))
    return toResult(last.files, last.findings);
  const emitted = emitFiles(contract, document, {
    source: isAbsoluteUrl(api.root) ? api.root : relative(directory, api.root).replaceAll("\\", "/"),
    split: api.split,
    groupByTag: api.groupByTag,
    generate: api.generate,
    codecs: api.codecs,
    module: api.module,
    importExtension: api.importExtension,
    ...(cache && { cache }),
  });
  return toResult(emitted.files, [...warnings, ...emitted.problems]);
}

function isContractOf({ files }: EmittedApi, document: object): boolean {
  return files.get("contract.json") === emitContractJson(document);
}
