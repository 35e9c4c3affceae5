import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ContractError } from "tenon/core/document";
import { diffContracts, type DiffReport, fails, withImpact } from "../diff/index.js";
import { toGithub, toJunit, toMarkdown, writeText } from "../diff/report/index.js";
import {
  type ContractSource,
  findFile,
  findSource,
  type ReadContract,
  readContract,
} from "../diff/source/index.js";
import { createDiffPage } from "../docs/changes/index.js";
import type { CodeProject, Generated, Impact, ImpactOptions } from "../impact/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { createSourceLines } from "../output/code-frame.js";
import { withProgress } from "../output/terminal.js";
import { type ApiConfig, chooseApi, findTsconfig, loadProject, toModel } from "../project/index.js";

/** The arguments and options of the command, which its help describes. */
export interface DiffOptions {
  readonly base: string;
  readonly revision?: string | undefined;
  readonly api?: string;
  readonly format?: "text" | "json" | "markdown" | "github" | "junit" | "html";
  /** Lowest level that sets exit code 1. Default: breaking. */
  readonly failOn?: "breaking" | "risky" | "none";
  readonly checkVersion?: boolean;
  readonly verbose?: boolean;
  /** Default: when the revision is the contract of an API of redocly.yaml, and there is a tsconfig.json. */
  readonly impact?: boolean;
}

/**
 * Compares two contracts and prints the changes and their consequences for clients.
 * @throws {ContractError | UsageError}
 */
export async function runDiff(options: DiffOptions, context: CommandContext): Promise<ExitCode> {
  const { format = "text", failOn = "breaking", checkVersion = false } = options;
  const { cwd, stdout, now = Date.now } = context;
  const api = await findApi(options, context);
  const root = options.revision === undefined ? undefined : findFile(options.revision, cwd);
  const file = options.revision === undefined ? api?.root : (findFile(options.base, cwd) ?? api?.root);
  const base = await findSource(options.base, root ?? api?.root, cwd);
  const revision = await findRevision(options.revision, file, context);
  const diff = await withProgress(context, async (report) => {
    report("Reading the base");
    const before = await readContract(base, api);
    report("Reading the revision");
    const after = await readContract(revision, api);
    report("Comparing");
    const compared = await diffContracts({ base: before, revision: after }, { now: now(), ...api?.diff });
    const project = findCodeProject(api, revision, cwd);
    if (!(options.impact ?? typeof project !== "string")) return compared;
    report("Asking the compiler");
    const contracts = { base: before, revision: after };
    return withImpact(compared, await askCompiler(contracts, { changes: compared.changes, api, project }));
  });
  const report: DiffReport = {
    base: base.show(base.file),
    revision: revision.show(revision.file),
    ...diff,
  };
  switch (format) {
    case "json":
      printJson(report, context);
      break;
    case "junit":
      stdout.write(toJunit(report, { failOn, checkVersion }));
      break;
    case "html":
      stdout.write(createDiffPage(report));
      break;
    case "markdown":
      stdout.write(toMarkdown(diff));
      break;
    case "github":
      stdout.write(
        toGithub(diff, (path) => {
          const isSame = revision.isOnDisk && existsSync(resolve(cwd, path));
          return { file: isSame ? path : report.revision, isSame };
        }),
      );
      break;
    case "text": {
      const readLine = createSourceLines();
      writeText(diff, stdout, {
        readLine: (file, line) => readLine(resolve(cwd, file), line)?.slice(0, 120),
        verbose: options.verbose === true,
      });
    }
  }
  const isFine = !diff.changes.some(({ level, ignored }) => ignored === undefined && fails(level, failOn));
  return isFine && (!checkVersion || diff.version.enough) ? 0 : 1;
}

/** Finds the API in redocly.yaml, which is not needed when both contracts are named. */
async function findApi(
  { api, base, revision }: DiffOptions,
  { cwd }: CommandContext,
): Promise<ApiConfig | undefined> {
  if (!existsSync(join(cwd, "redocly.yaml"))) {
    if (api === undefined && revision !== undefined) return undefined;
    if (api === undefined && findFile(base, cwd) !== undefined) {
      throw new UsageError(
        `There is no redocly.yaml in this folder; name the contract to compare ${base} with.`,
      );
    }
  }
  const apis = await loadProject(cwd);
  if (api !== undefined) return chooseApi(apis, api);
  const named = revision === undefined ? undefined : findFile(revision, cwd);
  const own = apis.find(({ root }) => root === named);
  if (own !== undefined || apis.length === 1) return own ?? apis[0];
  if (revision !== undefined) return undefined;
  return chooseApi(apis);
}

async function findRevision(
  text: string | undefined,
  file: string | undefined,
  { cwd }: CommandContext,
): Promise<ContractSource> {
  if (text !== undefined) return findSource(text, file, cwd);
  if (file === undefined) throw new UsageError("Name the contract to compare with.");
  return findSource(file, undefined, cwd);
}

/** Finds the project of an API's code by the nearest tsconfig.json of its main module. @returns the reason when there is none. */
function findCodeProject(
  api: ApiConfig | undefined,
  { file, show }: ContractSource,
  cwd: string,
): CodeProject | string {
  if (api?.root !== file) return `redocly.yaml has no API with the contract ${show(file)}`;
  const configFile = findTsconfig(api, cwd);
  if (configFile === undefined) return "there is no tsconfig.json beside or above the API's code";
  return { configFile, output: api.output, cwd };
}

interface AskOptions extends Pick<ImpactOptions, "changes" | "project"> {
  /** The API of the contracts. Undefined: not in redocly.yaml. */
  readonly api: ApiConfig | undefined;
}

/** Generates the types of both contracts in memory, and asks the compiler for the impact of the changes on code. */
async function askCompiler(
  { base, revision }: { readonly base: ReadContract; readonly revision: ReadContract },
  { changes, api, project }: AskOptions,
): Promise<Impact> {
  const { findImpact, noImpact } = await import("../impact/index.js");
  const before = await generate(base, api);
  if (typeof before === "string") return noImpact(before);
  const after = await generate(revision, api);
  if (typeof after === "string") return noImpact(after);
  return findImpact({ sides: { base: before, revision: after }, changes, project });
}

/** @returns the reason when types cannot be generated. */
async function generate(
  { loaded, name }: ReadContract,
  api: ApiConfig | undefined,
): Promise<Generated | string> {
  const { emitFiles } = await import("../generate/files.js");
  try {
    const { contract } = await toModel(loaded);
    const { split, module, importExtension } = api ?? {};
    const options = { source: "", split, module, importExtension };
    const { files } = emitFiles(contract, loaded.document, options);
    return { files, operations: contract.operations };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const [problem] = error.problems;
    return `types cannot be generated from ${name}: ${problem?.message ?? ""}`;
  }
}
