import type { StoreName } from "./options.js";
import type { ScenarioName } from "./scenarios.js";
import type { ServerName } from "./servers.js";
import type { Spread } from "./statistics.js";

/** What one server did in one scenario, over all rounds. */
export interface Figures {
  /** Requests per second of the server's CPU time; 1 is the reference in the same round. */
  readonly cpuRatio: Spread;
  /** Requests per second; 1 is the reference in the same round. */
  readonly ratio: Spread;
  readonly perCpuSecond: Spread;
  readonly perSecond: Spread;
  /** Milliseconds. */
  readonly p50: Spread;
  /** Milliseconds. */
  readonly p99: Spread;
}

export interface ServerResult {
  /** From the start of the process to its first answer, in milliseconds. */
  readonly start: Spread;
  /** Resident memory after the last round, in megabytes. */
  readonly memory: number;
  readonly scenarios: Readonly<Partial<Record<ScenarioName, Figures>>>;
}

/** One run of the benchmark. */
export interface RunResult {
  readonly store: StoreName;
  readonly logs: boolean;
  /** `20.20.2`. */
  readonly node: string;
  readonly machine: string;
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
  readonly servers: Readonly<Partial<Record<ServerName, ServerResult>>>;
}

/** What one server did with a contract of so many operations. */
export interface GrowthFigures {
  /** CPU time per request of the operation that is declared first, and of the last; in microseconds. */
  readonly first: Spread;
  readonly last: Spread;
  /** Milliseconds. */
  readonly start: Spread;
  /** Megabytes. */
  readonly memory: number;
}

export interface GrowthResult {
  readonly node: string;
  readonly machine: string;
  /** By number of operations, then by server. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, GrowthFigures>>>>;
  /** Start of a given document, by server. */
  readonly document?: {
    readonly name: string;
    readonly servers: Readonly<Record<string, Pick<GrowthFigures, "start" | "memory">>>;
  };
}

/** The latest of each kind: `memory, Node 20`, and the growth of each version. */
export interface Results {
  readonly runs: Readonly<Record<string, RunResult>>;
  readonly growth: Readonly<Record<string, GrowthResult>>;
}

const major = (node: string): string => node.split(".")[0] ?? node;

/** Puts a run in the place of the one before it. */
export function withRun(results: Results, run: RunResult): Results {
  const title = `${run.store}, Node ${major(run.node)}${run.logs ? "" : ", without logs"}`;
  return { ...results, runs: sortKeys({ ...results.runs, [title]: run }) };
}

export function withGrowth(results: Results, growth: GrowthResult): Results {
  return { ...results, growth: sortKeys({ ...results.growth, [`Node ${major(growth.node)}`]: growth }) };
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
