import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.js";
import { REFERENCE, SERVER_NAMES, type ServerName } from "./servers.js";

const STORES = ["memory", "sqlite"] as const;
export type StoreName = (typeof STORES)[number];

export interface BenchOptions {
  readonly mode: "measure" | "check" | "growth" | "page";
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
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

/** What is wrong with the command line, in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `npm run bench -- [options]
  --rounds N            rounds (10)
  --seconds S           length of a slice (1)
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
  const modes = (["check", "growth", "page"] as const).filter((mode) => values[mode]);
  if (modes.length > 1) throw new UsageError(`Give --${modes.join(" or --")}, not both`);
  if (values.document !== undefined && !values.growth) throw new UsageError("--document goes with --growth");
  const rounds = toNumber("rounds", values.rounds);
  if (!Number.isInteger(rounds)) throw new UsageError("--rounds must be a whole number");
  const servers = toNames("servers", values.servers, SERVER_NAMES);
  if (!values.check && !servers.includes(REFERENCE))
    throw new UsageError(`--servers must have ${REFERENCE}, which the others are measured against`);
  const [logs] = toNames("logs", values.logs, ["on", "off"] as const);
  return {
    mode: modes[0] ?? "measure",
    rounds,
    seconds: toNumber("seconds", values.seconds),
    servers,
    scenarios: toNames("scenarios", values.scenarios, SCENARIO_NAMES),
    stores: toNames("store", values.store, STORES),
    logs: logs === "on",
    node: resolve(values.node),
    ...(values.folder !== undefined && { folder: resolve(values.folder) }),
    ...(values.document !== undefined && { document: resolve(values.document) }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        rounds: { type: "string", default: "10" },
        seconds: { type: "string", default: "1" },
        servers: { type: "string", default: SERVER_NAMES.join() },
        scenarios: { type: "string", default: SCENARIO_NAMES.join() },
        store: { type: "string", default: STORES.join() },
        logs: { type: "string", default: "on" },
        node: { type: "string", default: process.execPath },
        folder: { type: "string" },
        check: { type: "boolean", default: false },
        growth: { type: "boolean", default: false },
        page: { type: "boolean", default: false },
        document: { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function toNumber(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new UsageError(`--${name} must be a number above 0`);
  return number;
}

/** In the order of `known`, each once. */
function toNames<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const given = text.split(",");
  const unknown = given.find((name) => !known.some((other) => other === name));
  if (unknown !== undefined)
    throw new UsageError(`--${option} has "${unknown}"; want some of ${known.join(", ")}`);
  return known.filter((name) => given.includes(name));
}
