import process from "node:process";
import { fileURLToPath } from "node:url";
import { median } from "../report.js";
import { Child } from "./child.js";
import type { ServerProcess, Usage } from "./server-process.js";
import { shuffle, toRatios } from "./statistics.js";

/** Requests that are under way at any time. */
export const CONNECTIONS = 32;

/**
 * CPU time that a server spends on each load before it counts, in seconds. By then the engine has compiled what is used
 * often. A busy machine takes longer to give a process so much.
 */
const WARM_UP = 0.4;

const GENERATOR = fileURLToPath(new URL("generator.mjs", import.meta.url));

/** The figures of one slice. */
export interface Slice {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface Generated {
  readonly result?: {
    readonly answers: number;
    readonly seconds: number;
    readonly statuses: Readonly<Record<string, number>>;
    readonly p50: number;
    readonly p99: number;
  };
  readonly error?: string;
}

export interface Load {
  readonly requests: readonly string[];
  /** Status that every response must have. */
  readonly status: number;
}

/** The process that sends requests, on the core that is not the servers'. */
export class Generator {
  readonly #child = new Child([GENERATOR], { core: "load", node: process.execPath });

  /** @throws when a server closes a connection, or responds with another status. */
  async run(server: ServerProcess, { requests, status }: Load, seconds: number): Promise<Slice> {
    const before = await server.usage();
    const { result, error } = await this.#child.ask<Generated>({
      port: Number(new URL(server.url).port),
      requests,
      connections: CONNECTIONS,
      milliseconds: seconds * 1000,
    });
    const after = await server.usage();
    server.emptyLog();
    if (result === undefined) throw new Error(error);
    if (result.statuses[status] !== result.answers)
      throw new Error(`Want ${status}, found ${JSON.stringify(result.statuses)}`);
    return {
      perSecond: result.answers / result.seconds,
      perCpuSecond: result.answers / ((after.cpu - before.cpu) / 1e6),
      p50: result.p50,
      p99: result.p99,
    };
  }

  /** Runs short slices until the server has spent {@link WARM_UP}. */
  async warmUp(server: ServerProcess, load: Load): Promise<void> {
    const { cpu } = await server.usage();
    do await this.run(server, load, WARM_UP / 4);
    while ((await server.usage()).cpu - cpu < WARM_UP * 1e6);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

/** A server that is measured beside others. */
export interface Contestant {
  readonly name: string;
  readonly start: () => Promise<ServerProcess>;
  /** By name; the same names for all contestants. */
  readonly loads: Readonly<Record<string, Load>>;
}

export interface Plan {
  /** Fresh processes of each contestant, one after the other. */
  readonly starts: number;
  /** Slices of each load in each start. */
  readonly rounds: number;
  /** Length of a slice. */
  readonly seconds: number;
}

/** The figures of one process. */
export interface Measured {
  /** From the start of the process to its first response, in milliseconds. */
  readonly startTime: number;
  /** Resource use by then. */
  readonly startUsage: Pick<Usage, "cpu" | "memory">;
  /** Resident memory after the last round, in bytes. */
  readonly memory: number;
  /** By load, then by round. */
  readonly slices: Readonly<Record<string, readonly Slice[]>>;
}

/** By contestant, then by start. */
export type Measurements = ReadonlyMap<string, readonly Measured[]>;

/** Estimates the seconds that {@link measure} takes for one start. */
export function estimateStart(contestants: number, loads: number, plan: Omit<Plan, "starts">): number {
  const slices = WARM_UP * 1.1 + plan.rounds * (plan.seconds + 0.01);
  return contestants * (0.4 + loads * slices);
}

/** Measures every contestant under every load, in several fresh processes each. */
export async function measure(
  contestants: readonly Contestant[],
  plan: Plan,
  title: string,
): Promise<Measurements> {
  const generator = new Generator();
  const measurements = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));
  try {
    for (let start = 1; start <= plan.starts; start++) {
      const label = `${title}: start ${start} of ${plan.starts}`;
      const measured = await measureStart(contestants, plan, generator, label);
      for (const [name, figures] of measured) measurements.get(name)?.push(figures);
    }
    return measurements;
  } finally {
    showProgress("");
    await generator.stop();
  }
}

/** Starts every contestant once, measures them side by side, and stops them. */
async function measureStart(
  contestants: readonly Contestant[],
  { rounds, seconds }: Plan,
  generator: Generator,
  label: string,
): Promise<ReadonlyMap<string, Measured>> {
  const running: { contestant: Contestant; server: ServerProcess; slices: Record<string, Slice[]> }[] = [];
  try {
    for (const contestant of shuffle(contestants)) {
      showProgress(`${label}, ${contestant.name}`);
      const slices = Object.fromEntries(Object.keys(contestant.loads).map((load) => [load, []]));
      running.push({ contestant, server: await contestant.start(), slices });
    }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of shuffle(Object.keys(contestants[0]?.loads ?? {}))) {
        for (const { contestant, server, slices } of shuffle(running)) {
          const load = contestant.loads[name];
          if (load === undefined) continue;
          showProgress(`${label}, round ${round} of ${rounds}, ${name}, ${contestant.name}`);
          try {
            if (round === 0) await generator.warmUp(server, load);
            else slices[name]?.push(await generator.run(server, load, seconds));
          } catch (error) {
            throw new Error(`${contestant.name}, ${name}: ${(error as Error).message}`, { cause: error });
          }
        }
      }
    }
    const measured = new Map<string, Measured>();
    for (const { contestant, server, slices } of running) {
      const { memory } = await server.usage();
      const { startTime, startUsage } = server;
      measured.set(contestant.name, { startTime, startUsage, memory, slices });
    }
    return measured;
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
}

/** Median of one figure over the rounds of a start. */
export function toMedian(slices: readonly Slice[], figure: keyof Slice): number {
  return median(slices.map((slice) => slice[figure]));
}

/** Median over the rounds of a start of one figure's ratio to a reference in the same round. */
export function toRatio(slices: readonly Slice[], reference: readonly Slice[], figure: keyof Slice): number {
  const all = (among: readonly Slice[]) => among.map((slice) => slice[figure]);
  return median(toRatios(all(slices), all(reference)));
}

/** Writes one line over the last one on a terminal. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}
