import { existsSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import ts from "#typescript";
import type { ApiConfig } from "../project/config.js";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import { createContracts } from "../dev/contracts.js";
import { createDocsBuilder } from "../dev/docs.js";
import { createImpactFollower } from "../dev/impact.js";
import { createService } from "../dev/service.js";
import { Stopwatch } from "../dev/stopwatch.js";
import { createTypeCheck } from "../dev/type-check.js";
import { type Change, watchProject } from "../dev/watch.js";
import { withProgress } from "../output/progress.js";
import { loadProject } from "../project/select-apis.js";
import { WriteError } from "../output/write-error.js";

/** Where Tenon is. A project that has it among its sources, as its own repository does, may save its files. */
const OWN = fileURLToPath(new URL("../../tenon", import.meta.url));

export interface DevOptions {
  /** Module that starts the service, relative to the project. Default: `x-tenon.main` of redocly.yaml. */
  readonly main?: string;
  /** How long the service may take to listen, in milliseconds. Default: 60,000. */
  readonly startLimit?: number;
}

/**
 * Runs the service and follows every save: contracts are linted and generated from, the program is type-checked, and when all
 * of it is good the service is started anew. Until then the last good one answers.
 * @returns 0 once the user has stopped it.
 * @throws {ContractError | UsageError | WriteError} when it cannot begin.
 */
export async function runDev(options: DevOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout } = context;
  const apis = await loadProject(cwd);
  const main = findMain(options, apis, cwd);
  const isGenerated = (path: string) =>
    apis.some(({ output }) => path === output || path.startsWith(output + sep));
  const configFile = findTsconfig(main, cwd);
  const types = createTypeCheck(configFile, { cwd, isGenerated });
  let stopping = false;
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      stopping = true;
      resolve();
    };
    process.once("SIGINT", stop).once("SIGTERM", stop);
  });
  const say = (text: string) => {
    // On a terminal Ctrl-C ends the service too, which is no news.
    if (!stopping) stdout.write(`tenon: ${text}\n`);
  };
  const service = createService({
    main,
    cwd,
    startLimit: options.startLimit,
    onEnd: (how) => {
      say(`the service ended ${how}; save a file to start it again`);
    },
  });
  const giveUp = (what: string) => {
    say(
      `${what}; ${service.running ? "the last good service still answers" : "nothing runs until that is mended"}`,
    );
  };

  const contracts = createContracts(apis, context);
  const docs = createDocsBuilder(cwd);
  const impact = createImpactFollower({
    configFile,
    cwd,
    tell: ([first, ...lines]) => {
      if (first !== undefined) say([first, ...lines].join("\n"));
    },
  });
  /** Whether the running service is not what the files say. */
  let stale = true;
  /** Whether the docs are not of the contract that the service runs with. */
  let hasOldDocs = true;

  const concernsProgram = ({ path, kind }: Change) =>
    types.includes(path) || (kind === "add" && /\.[cm]?tsx?$/.test(path));

  /** @param changes Of a save; undefined at the start. */
  async function follow(changes?: readonly Change[]): Promise<void> {
    const ofContract = changes?.some((change) => contracts.concerns(change)) ?? true;
    const ofProgram = changes?.some(concernsProgram) ?? true;
    if (!ofContract && !ofProgram && service.running) return;
    // Editors clear the problems of the save before when they read it.
    if (changes !== undefined) say(`saved ${listChanges(changes, cwd)}`);
    if (changes?.some(({ path }) => path.startsWith(OWN)) === true) service.renew();
    const time = new Stopwatch();
    if (ofContract) {
      if (await contracts.follow()) stale = hasOldDocs = true;
      time.lap("contract");
    }
    stale ||= ofProgram || !service.running;
    if (!contracts.isGood) {
      giveUp("the contract has errors");
      return;
    }
    if (!stale) {
      say("nothing changed for the service");
      return;
    }
    const errors = await withProgress(
      context,
      (tell) => {
        tell("Checking types");
        return Promise.resolve(types.run());
      },
      0,
    );
    time.lap("types");
    for (const line of errors) context.stderr.write(line);
    if (errors.length > 0) {
      giveUp(`${errors.length} type ${errors.length === 1 ? "error" : "errors"}`);
      return;
    }
    const verb = service.running ? "restarted" : "started";
    // Without a line of progress: what the service prints as it starts would be appended to it.
    const failure = await service.restart();
    if (failure !== undefined) {
      giveUp(`the new service did not come up: ${failure}`);
      return;
    }
    time.lap("service");
    stale = false;
    say(`${verb} in ${time.toString()}`);
    if (hasOldDocs) docs.build();
    hasOldDocs = false;
  }

  const watch = await watchProject({
    folder: cwd,
    async onSave(changes) {
      // What generating writes is saved too.
      const edited = changes.filter(({ path }) => contracts.isEdited(path));
      for (const { path } of edited) say(`${relative(cwd, path)} was changed by hand: it is generated again`);
      const others = changes.filter(({ path }) => !isGenerated(path));
      if (edited.length + others.length === 0) return;
      impact.cancel();
      try {
        await follow([...others, ...edited]);
        if (contracts.isGood) impact.follow(contracts.plans, !stale);
      } catch (error) {
        if (!(error instanceof WriteError)) throw error;
        giveUp(error.toText(cwd));
      }
      watch.add(contracts.files);
    },
  });
  try {
    await Promise.race([follow(), stopped]);
    impact.follow(contracts.plans, !stale);
    watch.add(contracts.files);
    await stopped;
  } finally {
    await watch.close();
    await service.stop();
    contracts.close();
    docs.close();
    impact.cancel();
  }
  return 0;
}

/** `src/app.ts`, or `src/app.ts and 2 more`. */
function listChanges(changes: readonly Change[], cwd: string): string {
  const [first, ...others] = new Set(changes.map(({ path }) => relative(cwd, path)));
  return [first, ...(others.length > 0 ? [`${others.length} more`] : [])].join(" and ");
}

function findMain({ main }: DevOptions, apis: readonly ApiConfig[], cwd: string): string {
  const named = main === undefined ? apis.flatMap((api) => api.main ?? []) : [resolve(cwd, main)];
  const [path, other] = new Set(named);
  if (path === undefined)
    throw new UsageError(
      "Nothing says what starts the service: add `main: src/main.ts` to x-tenon in redocly.yaml.",
    );
  if (other !== undefined)
    throw new UsageError(
      "The APIs have different x-tenon.main: choose with --main, for example --main src/main.ts.",
    );
  if (!existsSync(path))
    throw new UsageError(`There is no ${relative(cwd, path)}, which is to start the service.`);
  return path;
}

function findTsconfig(main: string, cwd: string): string {
  const path = ts.findConfigFile(dirname(main), (file) => ts.sys.fileExists(file));
  if (path === undefined || relative(cwd, path).startsWith(".."))
    throw new UsageError(`There is no tsconfig.json beside or above ${relative(cwd, main)}.`);
  return path;
}
