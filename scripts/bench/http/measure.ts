import process from "node:process";
import { fileURLToPath } from "node:url";
import { Child } from "./child.js";
import type { BenchOptions, StoreName } from "./options.js";
import type { Figures, ServerResult } from "./results.js";
import { SCENARIOS, type ScenarioName } from "./scenarios.js";
import { ServerProcess, type ServerSetting } from "./server-process.js";
import { REFERENCE, type ServerName } from "./servers.js";
import { shuffle, toRatios, toSpread } from "./statistics.js";
import type { Workspace } from "./workspace.js";

/** Requests that are under way at any time. */
export const CONNECTIONS = 32;

/** How often each server is started. */
const STARTS = 3;

const GENERATOR = fileURLToPath(new URL("generator.mjs", import.meta.url));

/** What happened in one slice. */
interface Slice {
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
  /** Status that every answer must have. */
  readonly status: number;
  readonly seconds: number;
}

/** The process that sends requests, on the core that is not the servers'. */
export class Generator {
  readonly #child = new Child([GENERATOR], { core: "load", node: process.execPath });

  /** @throws when a server closes a connection, or answers otherwise than it should. */
  async run(server: ServerProcess, { requests, status, seconds }: Load): Promise<Slice> {
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

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

/** Seconds that {@link measure} takes, more or less. */
export function estimate({ servers, scenarios, rounds, seconds }: BenchOptions): number {
  return servers.length * (scenarios.length * (rounds + 1) * (seconds + 0.05) + STARTS * 0.5);
}

/** Measures every server in every scenario, in turns. */
export async function measure(
  options: BenchOptions,
  store: StoreName,
  workspace: Workspace,
): Promise<Readonly<Partial<Record<ServerName, ServerResult>>>> {
  const { rounds, seconds, scenarios } = options;
  const setting: ServerSetting = { node: options.node, logs: options.logs, store };
  const starts = new Map<ServerName, number[]>();
  const servers = new Map<ServerName, ServerProcess>();
  const generator = new Generator();
  const slices = new Map<string, Slice[]>();
  const of = (name: ServerName, scenario: ScenarioName): readonly Slice[] =>
    slices.get(`${name} ${scenario}`) ?? [];

  try {
    for (let start = 0; start < STARTS; start++) {
      for (const name of shuffle(options.servers)) {
        await servers.get(name)?.stop();
        const server = await ServerProcess.start(name, workspace, setting);
        servers.set(name, server);
        starts.set(name, [...(starts.get(name) ?? []), server.startTime]);
      }
    }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const scenario of shuffle(scenarios)) {
        const { requests, status } = SCENARIOS[scenario];
        for (const [name, server] of shuffle([...servers])) {
          tell(`${store}: ${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}, ${scenario}, ${name}`);
          const load = { requests: requests(workspace.key), status, seconds };
          const slice = await generator.run(server, load).catch((error: unknown) => {
            throw new Error(`${name}, ${scenario}: ${(error as Error).message}`);
          });
          if (round > 0) slices.set(`${name} ${scenario}`, [...of(name, scenario), slice]);
        }
      }
    }
    tell("");
    const results: Partial<Record<ServerName, ServerResult>> = {};
    for (const [name, server] of servers) {
      const { memory } = await server.usage();
      const figures = scenarios.map((scenario) => [
        scenario,
        toFigures(of(name, scenario), of(REFERENCE, scenario)),
      ]);
      results[name] = {
        start: toSpread(starts.get(name) ?? []),
        memory: Math.round(memory / 1e6),
        scenarios: Object.fromEntries(figures) as ServerResult["scenarios"],
      };
    }
    return results;
  } finally {
    await Promise.all([generator.stop(), ...[...servers.values()].map((server) => server.stop())]);
  }
}

function toFigures(slices: readonly Slice[], reference: readonly Slice[]): Figures {
  const all = (of: keyof Slice, among = slices) => among.map((slice) => slice[of]);
  return {
    cpuRatio: toSpread(toRatios(all("perCpuSecond"), all("perCpuSecond", reference))),
    ratio: toSpread(toRatios(all("perSecond"), all("perSecond", reference))),
    perCpuSecond: toSpread(all("perCpuSecond")),
    perSecond: toSpread(all("perSecond")),
    p50: toSpread(all("p50")),
    p99: toSpread(all("p99")),
  };
}

/** One line that is written over, for whoever waits. */
export function tell(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}
