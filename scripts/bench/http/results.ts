import { type Measured, type Measurements, toMedian, toRatio } from "./measure.js";
import type { StoreName } from "./options.js";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.js";
import { REFERENCE, SERVER_NAMES, type ServerName } from "./servers.js";
import { roundToDigits, type Spread } from "./statistics.js";

/** The figures of one server in one scenario: medians over the rounds of one start. */
export interface Figures {
  /** Requests per second of the server's CPU time; 1 is the reference in the same round. */
  readonly cpuRatio: number;
  /** Requests per second; 1 is the reference in the same round. */
  readonly ratio: number;
  readonly perCpuSecond: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** The figures of one process of a server. */
export interface StartResult {
  /** From the start of the process to its first response, in milliseconds. */
  readonly start: number;
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
  /** Rounds of each start. */
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
  /** By server, then by start. */
  readonly servers: Readonly<Partial<Record<ServerName, readonly StartResult[]>>>;
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

/** Reduces what was measured to the figures that are kept. */
export function toServerResults(measurements: Measurements): RunResult["servers"] {
  const references = measurements.get(REFERENCE) ?? [];
  const results: Partial<Record<ServerName, StartResult[]>> = {};
  for (const name of SERVER_NAMES) {
    const measured = measurements.get(name);
    if (measured !== undefined)
      results[name] = measured.map((one, start) => toStartResult(one, references[start]));
  }
  return results;
}

function toStartResult({ startTime, memory, slices }: Measured, reference?: Measured): StartResult {
  const toFigures = (scenario: ScenarioName): Figures => {
    const own = slices[scenario] ?? [];
    const others = reference?.slices[scenario] ?? [];
    return {
      cpuRatio: roundToDigits(toRatio(own, others, "perCpuSecond")),
      ratio: roundToDigits(toRatio(own, others, "perSecond")),
      perCpuSecond: roundToDigits(toMedian(own, "perCpuSecond")),
      perSecond: roundToDigits(toMedian(own, "perSecond")),
      p50: roundToDigits(toMedian(own, "p50")),
      p99: roundToDigits(toMedian(own, "p99")),
    };
  };
  const scenarios = SCENARIO_NAMES.filter((name) => slices[name] !== undefined);
  return {
    start: roundToDigits(startTime),
    memory: Math.round(memory / 1e6),
    scenarios: Object.fromEntries(scenarios.map((name) => [name, toFigures(name)])),
  };
}

const major = (node: string): string => node.split(".")[0] ?? node;

/** Puts a run in the place of the one before it. */
export function withRun(results: Results, run: RunResult): Results {
  return { ...results, runs: sortKeys({ ...results.runs, [toTitle(run)]: run }) };
}

/** `memory, Node 20`. */
export function toTitle({ store, node, logs }: RunResult): string {
  return `${store}, Node ${major(node)}${logs ? "" : ", without logs"}`;
}

export function withGrowth(results: Results, growth: GrowthResult): Results {
  return { ...results, growth: sortKeys({ ...results.growth, [`Node ${major(growth.node)}`]: growth }) };
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
