import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { estimateStart, type Plan } from "./measure.js";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.js";
import { REFERENCE, SERVER_NAMES, type ServerName } from "./servers.js";

const STORES = ["memory", "sqlite"] as const;
export type StoreName = (typeof STORES)[number];

export interface BenchOptions extends Plan {
  /** `quick` and `startup` print their figures, `measure` does so with {@link against}; otherwise the page is written. */
  readonly mode: "measure" | (typeof MODES)[number];
  readonly servers: readonly ServerName[];
  readonly scenarios: readonly ScenarioName[];
  /** Measured one after the other. */
  readonly stores: readonly StoreName[];
  readonly logs: boolean;
  /** Absolute path of the Node.js that the servers run on. */
  readonly node: string;
  /** Where packages are installed and stay; absent: a temporary folder. */
  readonly folder?: string;
  /** Absolute path of a built checkout whose service is measured too. */
  readonly against?: string;
  /** An OpenAPI document whose start is measured, for `growth`. */
  readonly document?: string;
}

const MODES = ["check", "growth", "page", "quick", "startup"] as const;

/** The servers that are measured where no page is written. */
const COMPARED: readonly ServerName[] = ["tenon", REFERENCE];

/** Time for which `--quick` measures, in seconds; and the starts that it makes at least. */
const QUICK = 120;
const LEAST_STARTS = 3;

/** What is wrong with the command line, in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `npm run bench -- [options]
  --starts N            fresh processes of each server (5; 10 with --against, 20 with --startup)
  --rounds N            rounds in each start (4)
  --seconds S           length of a slice (0.5)
  --servers a,b         ${SERVER_NAMES.join(",")}
  --scenarios a,b       ${SCENARIO_NAMES.join(",")}
  --store a,b           ${STORES.join(",")}
  --logs on|off         whether servers log their requests (on)
  --node PATH           the Node.js that servers run on (this one)
  --folder DIR          where packages are installed and stay (a temporary folder)
  --quick               measures tenon and fastify in memory for two minutes: as many starts of 2 rounds
                        of 0.15 s slices as fit; prints the figures and writes no page
  --against DIR         measures also the service of another built checkout: two processes in each start;
                        of tenon and fastify in memory; prints the figures and writes no page
  --startup             measures the time to the first response and to import tenon/runtime instead;
                        prints the figures and writes no page
  --check               only compares what the servers answer
  --page                only writes the page anew, from what was measured
  --growth              measures 10, 100 and 1,000 operations instead
  --document FILE       with --growth: an OpenAPI document whose start is measured too
`;

/** @throws {UsageError} */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values } = parse(argv);
  const { against, document, folder } = values;
  const modes = MODES.filter((mode) => values[mode]);
  if (modes.length > 1) throw new UsageError(`Give --${modes.join(" or --")}, not both`);
  const [mode = "measure"] = modes;
  const isQuick = mode === "quick";
  const isPrinted = isQuick || mode === "startup" || against !== undefined;
  if (document !== undefined && mode !== "growth") throw new UsageError("--document goes with --growth");
  if (against !== undefined && !["measure", "quick", "startup"].includes(mode))
    throw new UsageError(`--against does not go with --${mode}`);

  const servers = toNames("servers", values.servers, SERVER_NAMES, isPrinted ? COMPARED : SERVER_NAMES);
  if (mode !== "check" && !servers.includes(REFERENCE))
    throw new UsageError(`--servers must have ${REFERENCE}, which the others are measured against`);
  if (against !== undefined && !servers.includes("tenon"))
    throw new UsageError("--servers must have tenon, which --against compares");

  const options = {
    mode,
    starts: toInteger("starts", values.starts, mode === "startup" ? 20 : against === undefined ? 5 : 10),
    rounds: toInteger("rounds", values.rounds, isQuick ? 2 : 4),
    seconds: toNumber("seconds", values.seconds, isQuick ? 0.15 : 0.5),
    servers,
    scenarios: toNames("scenarios", values.scenarios, SCENARIO_NAMES),
    stores: toNames("store", values.store, STORES, isPrinted ? ["memory"] : STORES),
    logs: toNames("logs", values.logs, ["on", "off"], ["on"])[0] === "on",
    node: resolve(values.node),
    ...(folder !== undefined && { folder: resolve(folder) }),
    ...(against !== undefined && { against: resolve(against) }),
    ...(document !== undefined && { document: resolve(document) }),
  } satisfies BenchOptions;
  if (!isQuick || values.starts !== undefined) return options;
  const starts = Math.round(QUICK / estimate({ ...options, starts: 1 }));
  return { ...options, starts: Math.max(starts, LEAST_STARTS) };
}

/** Estimates the seconds for which a run measures. */
export function estimate({ mode, servers, against, scenarios, stores, ...plan }: BenchOptions): number {
  const processes = servers.length + (against === undefined ? 0 : 2);
  const loads = mode === "startup" ? 0 : scenarios.length;
  return stores.length * plan.starts * estimateStart(processes, loads, plan);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        starts: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        servers: { type: "string" },
        scenarios: { type: "string" },
        store: { type: "string" },
        logs: { type: "string" },
        node: { type: "string", default: process.execPath },
        folder: { type: "string" },
        against: { type: "string" },
        document: { type: "string" },
        check: { type: "boolean" },
        growth: { type: "boolean" },
        page: { type: "boolean" },
        quick: { type: "boolean" },
        startup: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function toNumber(option: string, text: string | undefined, byDefault: number): number {
  const number = text === undefined ? byDefault : Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new UsageError(`--${option} must be a number above 0`);
  return number;
}

function toInteger(option: string, text: string | undefined, byDefault: number): number {
  const number = toNumber(option, text, byDefault);
  if (!Number.isInteger(number)) throw new UsageError(`--${option} must be a whole number`);
  return number;
}

/** In the order of `known`, each once. */
function toNames<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
  byDefault = known,
): readonly Name[] {
  if (text === undefined) return byDefault;
  const given = text.split(",");
  const unknown = given.find((name) => !known.some((other) => other === name));
  if (unknown !== undefined)
    throw new UsageError(`--${option} has "${unknown}"; want some of ${known.join(", ")}`);
  return known.filter((name) => given.includes(name));
}
