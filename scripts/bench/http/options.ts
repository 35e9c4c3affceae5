import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { estimateStart, type Plan } from "./measure.js";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.js";
import { REFERENCE, SERVER_NAMES, type ServerName } from "./servers.js";

const STORES = ["memory", "sqlite"] as const;
export type StoreName = (typeof STORES)[number];

export interface BenchOptions extends Plan {
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
  /** An OpenAPI document whose start is measured, for `growth`. */
  readonly document?: string;
}

const MODES = ["check", "growth", "page"] as const;

/** What is wrong with the command line, in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `npm run bench -- [options]
  --starts N            fresh processes of each server (5)
  --rounds N            rounds in each start (4)
  --seconds S           length of a slice (0.5)
  --servers a,b         ${SERVER_NAMES.join(",")}
  --scenarios a,b       ${SCENARIO_NAMES.join(",")}
  --store a,b           ${STORES.join(",")}
  --logs on|off         whether servers log their requests (on)
  --node PATH           the Node.js that servers run on (this one)
  --folder DIR          where packages are installed and stay (a temporary folder)
  --check               only compares what the servers answer
  --page                only writes the page anew, from what was measured
  --growth              measures 10, 100 and 1,000 operations instead
  --document FILE       with --growth: an OpenAPI document whose start is measured too
`;

/** @throws {UsageError} */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values } = parse(argv);
  const { document, folder } = values;
  const modes = MODES.filter((mode) => values[mode]);
  if (modes.length > 1) throw new UsageError(`Give --${modes.join(" or --")}, not both`);
  const [mode = "measure"] = modes;
  if (document !== undefined && mode !== "growth") throw new UsageError("--document goes with --growth");
  const servers = toNames("servers", values.servers, SERVER_NAMES);
  if (mode !== "check" && !servers.includes(REFERENCE))
    throw new UsageError(`--servers must have ${REFERENCE}, which the others are measured against`);
  return {
    mode,
    starts: toInteger("starts", values.starts, 5),
    rounds: toInteger("rounds", values.rounds, 4),
    seconds: toNumber("seconds", values.seconds, 0.5),
    servers,
    scenarios: toNames("scenarios", values.scenarios, SCENARIO_NAMES),
    stores: toNames("store", values.store, STORES),
    logs: toNames("logs", values.logs, ["on", "off"], ["on"])[0] === "on",
    node: resolve(values.node),
    ...(folder !== undefined && { folder: resolve(folder) }),
    ...(document !== undefined && { document: resolve(document) }),
  };
}

/** Estimates the seconds for which a run measures. */
export function estimate({ servers, scenarios, stores, ...plan }: BenchOptions): number {
  return stores.length * plan.starts * estimateStart(servers.length, scenarios.length, plan);
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
        document: { type: "string" },
        check: { type: "boolean" },
        growth: { type: "boolean" },
        page: { type: "boolean" },
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
