import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { diffContracts, type DiffReport, withImpact } from "../diff/index.js";
import {
  type ContractSource,
  findCodeProject,
  findFile,
  findSource,
  readContract,
} from "../diff/source/index.js";
import { type DiffOptions, fails } from "../diff/options.js";
import { toGithub, toHtml, toJunit, toMarkdown, writeText } from "../diff/report/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { withProgress } from "../output/terminal.js";
import { type ApiConfig, chooseApi, loadProject } from "../project/index.js";
import { createSourceLines } from "../output/code-frame.js";

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
    const compared = diffContracts({ base: before, revision: after }, { now: now(), ...api?.diff });
    const project = findCodeProject(api, revision, cwd);
    if (!(options.impact ?? typeof project !== "string")) return compared;
    report("Asking the compiler");
    const { askCompiler } = await import("../diff/ask-compiler.js");
    const contracts = { base: before, revision: after };
    return withImpact(compared, askCompiler({ ...contracts, changes: compared.changes, api, project }));
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
      stdout.write(toHtml(report));
      break;
    case "markdown":
      stdout.write(toMarkdown(diff));
      break;
    case "github": {
      stdout.write(
        toGithub(diff, (path) => {
          const isSame = revision.isOnDisk && existsSync(resolve(cwd, path));
          return { file: isSame ? path : report.revision, isSame };
        }),
      );
      break;
    }
    case "text": {
      const readLine = createSourceLines();
      writeText(diff, stdout, (file, line) => readLine(resolve(cwd, file), line)?.slice(0, 120));
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
