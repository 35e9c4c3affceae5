import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import process from "node:process";
import ts from "#typescript";
import { DevSession } from "../dev/index.js";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import { type ApiConfig, loadProject } from "../project/index.js";
import { showPath } from "../output/show-path.js";

export interface DevOptions {
  /** Module that starts the service, relative to the project. Default: `x-tenon.main` of redocly.yaml. */
  readonly main?: string;
  /** How long the service may take to listen, in seconds. Default: 60. */
  readonly startLimit?: number;
  /** Port that debuggers connect to. Default: no debugging. */
  readonly inspect?: number;
  /** Checks types after each start. Default: true. */
  readonly types?: boolean;
}

/**
 * npm passes signals on, so that Ctrl-C reaches this process twice within this time, in milliseconds. A later signal ends it at once.
 */
const REPEATED_SIGNAL_MS = 1_000;

/**
 * Runs the service and follows every save, see {@link DevSession}.
 * @returns 0 once the user has stopped it.
 * @throws {ContractError | UsageError | WriteError} when it cannot start.
 */
export async function runDev(options: DevOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd } = context;
  const apis = await loadProject(cwd);
  const main = findMain(options, apis, cwd);
  const configFile = findTsconfig(main, cwd);
  const controller = new AbortController();
  let first: number | undefined;
  const stop = () => {
    if (first !== undefined && performance.now() - first > REPEATED_SIGNAL_MS) process.exit(1);
    first ??= performance.now();
    controller.abort();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const { startLimit, inspect, types: checksTypes = true } = options;
  await new DevSession({
    apis,
    main,
    configFile,
    checksTypes,
    startLimit: startLimit === undefined ? undefined : startLimit * 1000,
    inspect,
    context,
    signal: controller.signal,
  }).run();
  return 0;
}

function findMain({ main }: DevOptions, apis: readonly ApiConfig[], cwd: string): string {
  const named = main === undefined ? apis.flatMap((api) => api.main ?? []) : [resolve(cwd, main)];
  const [path, other] = new Set(named);
  if (path === undefined)
    throw new UsageError(
      "The module that starts the service is unknown. Add `main: src/main.ts` to x-tenon in redocly.yaml.",
    );
  if (other !== undefined)
    throw new UsageError(
      "The APIs have different x-tenon.main. Choose one with --main, for example --main src/main.ts.",
    );
  if (!existsSync(path))
    throw new UsageError(`Cannot start the service: ${showPath(path, cwd)} does not exist.`);
  return path;
}

function findTsconfig(main: string, cwd: string): string {
  const path = ts.findConfigFile(dirname(main), (file) => ts.sys.fileExists(file));
  if (path === undefined || showPath(path, cwd).startsWith(".."))
    throw new UsageError(`Cannot find a tsconfig.json beside or above ${showPath(main, cwd)}.`);
  return path;
}
