import process from "node:process";
import { Generator, showProgress } from "../http/measure.js";
import { OpenLoop, type Outcomes } from "../http/open-loop.js";
import { SCENARIOS } from "../http/scenarios.js";
import { ServerProcess } from "../http/server-process.js";
import { quantile, shuffle } from "../http/statistics.js";
import type { Workspace } from "../http/workspace.js";

export const SERVERS = ["tenon", "fastify"] as const;
export type Server = (typeof SERVERS)[number];

export const MEASURED = ["list20", "create", "read"] as const;
export type Measured = (typeof MEASURED)[number];

/** Connections that are open besides those in use. */
export const IDLE = [0, 1_000] as const;

/** Part of the capacity of the slower server. */
export const LOAD = 0.8;

/** Connections that requests may use. */
const IN_USE = 500;

export interface LatencyOptions {
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
}

/** One server's slice of one operation. */
export interface Latency {
  readonly server: Server;
  readonly scenario: Measured;
  readonly idle: number;
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds from when a request was due to its response. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Part of the requests that got a 503 or no response. */
  readonly refused: number;
  /** Part of the time that the garbage collector took. */
  readonly collecting: number;
  /** Its longest pause, in milliseconds. */
  readonly pause: number;
  /** Resident memory afterwards, in bytes. */
  readonly memory: number;
}

/** Measures both servers side by side, in fresh processes in each round. */
export async function measureLatency(
  options: LatencyOptions,
  workspace: Workspace,
): Promise<readonly Latency[]> {
  const measured: Latency[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    showProgress(`round ${round} of ${options.rounds}`);
    measured.push(...(await measureRound(options, workspace)));
  }
  showProgress("");
  return measured;
}

async function measureRound({ seconds }: LatencyOptions, workspace: Workspace): Promise<Latency[]> {
  const running: { name: Server; server: ServerProcess }[] = [];
  const closed = new Generator();
  const open = new OpenLoop();
  const measured: Latency[] = [];
  try {
    for (const name of shuffle(SERVERS)) {
      const setting = { node: process.execPath, store: "memory", logs: true } as const;
      running.push({ name, server: await ServerProcess.start(name, workspace, setting) });
    }
    for (const scenario of MEASURED) {
      const { status, requests } = SCENARIOS[scenario];
      const load = { requests: requests(workspace.key), status };
      const capacities: number[] = [];
      for (const { server } of running) {
        await closed.warmUp(server, load);
        capacities.push((await closed.run(server, load, seconds)).perSecond);
      }
      const rate = Math.min(...capacities) * LOAD;
      for (const idle of IDLE) {
        for (const { name, server } of shuffle(running)) {
          await server.takePauses();
          const started = performance.now();
          const outcomes = await open.run(server, {
            requests: load.requests,
            rate,
            milliseconds: seconds * 1000,
            connections: idle + IN_USE,
            prepared: idle + IN_USE,
          });
          const { total, longest } = await server.takePauses();
          const collecting = total / (performance.now() - started);
          const { memory } = await server.usage();
          measured.push({
            server: name,
            scenario,
            idle,
            rate,
            collecting,
            pause: longest,
            memory,
            ...toQuantiles(outcomes, status),
          });
        }
      }
    }
    return measured;
  } finally {
    await Promise.all([open.stop(), closed.stop(), ...running.map(({ server }) => server.stop())]);
  }
}

/** Quantiles of the requests that got the wanted status, and the part of those that did not. */
export function toQuantiles(
  { due, answers }: Outcomes,
  wanted: number,
): Pick<Latency, "p50" | "p99" | "p999" | "refused"> {
  const latencies = answers.filter(([status]) => status === wanted).map(([, , latency]) => latency);
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    p999: quantile(latencies, 0.999),
    refused: (due - latencies.length) / due,
  };
}
