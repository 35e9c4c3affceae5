import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createConfig } from "@redocly/openapi-core";
import type { ApiConfig } from "../../contract/config.js";
import { loadContract } from "../../contract/load.js";
import { withImpact } from "../../diff/impact.js";
import { judgeContracts, type Contract, type Verdict } from "../../diff/judge.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../context.js";
import { withProgress } from "../progress.js";
import { loadProject, chooseApis } from "../select-apis.js";
import type { DiffLevel, DiffOptions } from "./options.js";
import { findCodeProject } from "./code-project.js";
import type { NamedContract } from "./impact.js";
import { toGithub } from "./github.js";
import { toMarkdown } from "./markdown.js";
import { type ContractSource, findFile, findSource } from "./source.js";
import { writeText } from "./text.js";

/**
 * Compares two contracts and prints what is different, and what that means to clients.
 * @throws {ContractError | UsageError}
 */
export async function runDiff(options: DiffOptions, context: CommandContext): Promise<ExitCode> {
  const { format = "text", failOn = "breaking", checkVersion = false } = options;
  const { cwd, stdout, now = Date.now } = context;
  const api = await findApi(options, context);
  const root = options.revision === undefined ? undefined : findFile(options.revision, cwd);
  const file = root ?? findFile(options.base, cwd) ?? api?.root;
  const base = await findSource(options.base, root ?? api?.root, cwd);
  const revision = await findRevision(options.revision, file, context);
  const verdict = await withProgress(context, async (tell) => {
    tell("Reading the base");
    const before = await read(base, api);
    tell("Reading the revision");
    const after = await read(revision, api);
    tell("Comparing");
    const judged = judgeContracts({ base: before, revision: after }, { now: now(), ...api?.diff });
    const project = findCodeProject(api, revision, cwd);
    if (!(options.impact ?? typeof project !== "string")) return judged;
    tell("Asking the compiler");
    const { askCompiler } = await import("./impact.js");
    const contracts = { base: before, revision: after };
    return withImpact(judged, askCompiler({ ...contracts, changes: judged.changes, api, project }));
  });
  switch (format) {
    case "json":
      printJson({ base: base.show(base.file), revision: revision.show(revision.file), ...verdict }, context);
      break;
    case "markdown":
      stdout.write(toMarkdown(verdict));
      break;
    case "github": {
      const shown = revision.show(revision.file);
      stdout.write(
        toGithub(verdict, (path) => {
          const isSame = revision.isOnDisk && existsSync(resolve(cwd, path));
          return { file: isSame ? path : shown, isSame };
        }),
      );
      break;
    }
    case "text":
      writeText(verdict, stdout, createReadLine(cwd));
  }
  return isFine(verdict, failOn) && (!checkVersion || verdict.version.enough) ? 0 : 1;
}

function isFine({ counts }: Verdict, failOn: DiffLevel): boolean {
  if (failOn === "none") return true;
  return counts.breaking === 0 && (failOn === "breaking" || counts.risky === 0);
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

/** Whether a contract follows lint rules is no question here. */
async function read(source: ContractSource, api: ApiConfig | undefined): Promise<Contract & NamedContract> {
  const config = api?.config ?? (await createConfig({}));
  const options = { lint: false, ...(source.read && { read: source.read }) };
  const loaded = await loadContract(source.file, config, options);
  const { document, locate } = loaded;
  return {
    loaded,
    name: source.show(source.file),
    document,
    locate: (pointer) => {
      const { file, line, pointer: written } = locate(pointer);
      return { file: source.show(file), line, pointer: written };
    },
  };
}

function createReadLine(cwd: string) {
  const files = new Map<string, readonly string[] | undefined>();
  return (file: string, line: number): string | undefined => {
    if (!files.has(file)) {
      const path = resolve(cwd, file);
      files.set(file, existsSync(path) ? readFileSync(path, "utf8").split("\n") : undefined);
    }
    return files.get(file)?.[line - 1]?.slice(0, 120);
  };
}
