import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ApiConfig } from "../project/config.js";
import { withImpact } from "../diff/impact.js";
import { judgeContracts } from "../diff/judge.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { withProgress } from "../output/progress.js";
import { loadProject, chooseApis } from "../project/select-apis.js";
import { findCodeProject } from "../diff/source/code-project.js";
import { fails } from "../diff/source/fails.js";
import type { DiffOptions } from "../diff/source/options.js";
import { createSourceLines } from "../output/source-lines.js";
import { toGithub } from "../diff/report/github.js";
import { toHtml } from "../diff/report/html.js";
import { toJunit } from "../diff/report/junit.js";
import { toMarkdown } from "../diff/report/markdown.js";
import { readContract } from "../diff/source/read-contract.js";
import type { DiffReport } from "../diff/report/report.js";
import { type ContractSource, findFile, findSource } from "../diff/source/source.js";
import { writeText } from "../diff/report/text.js";

/**
 * Compares two contracts and prints what is different, and what that means to clients.
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
  const verdict = await withProgress(context, async (tell) => {
    tell("Reading the base");
    const before = await readContract(base, api);
    tell("Reading the revision");
    const after = await readContract(revision, api);
    tell("Comparing");
    const judged = judgeContracts({ base: before, revision: after }, { now: now(), ...api?.diff });
    const project = findCodeProject(api, revision, cwd);
    if (!(options.impact ?? typeof project !== "string")) return judged;
    tell("Asking the compiler");
    const { askCompiler } = await import("../diff/report/impact.js");
    const contracts = { base: before, revision: after };
    return withImpact(judged, askCompiler({ ...contracts, changes: judged.changes, api, project }));
  });
  const report: DiffReport = {
    base: base.show(base.file),
    revision: revision.show(revision.file),
    ...verdict,
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
      stdout.write(toMarkdown(verdict));
      break;
    case "github": {
      stdout.write(
        toGithub(verdict, (path) => {
          const isSame = revision.isOnDisk && existsSync(resolve(cwd, path));
          return { file: isSame ? path : report.revision, isSame };
        }),
      );
      break;
    }
    case "text": {
      const readLine = createSourceLines();
      writeText(verdict, stdout, (file, line) => readLine(resolve(cwd, file), line)?.slice(0, 120));
    }
  }
  const isFine = !verdict.changes.some(({ level, ignored }) => ignored === undefined && fails(level, failOn));
  return isFine && (!checkVersion || verdict.version.enough) ? 0 : 1;
}

/** redocly.yaml is not needed where both contracts are named by themselves. */
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
  if (api !== undefined) return chooseApis(apis, [api])[0];
  const named = revision === undefined ? undefined : findFile(revision, cwd);
  const own = apis.find(({ root }) => root === named);
  if (own !== undefined || apis.length === 1) return own ?? apis[0];
  if (revision !== undefined) return undefined;
  throw new UsageError(
    `redocly.yaml names ${apis.map(({ name }) => name).join(", ")}; choose one with --api.`,
  );
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
