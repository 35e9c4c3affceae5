import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { showProgress } from "../http/measure.js";
import type { StoreName } from "../http/options.js";
import { SCENARIO_NAMES, type ScenarioName, SCENARIOS } from "../http/scenarios.js";
import { ServerProcess } from "../http/server-process.js";
import { shuffle } from "../http/statistics.js";
import type { Workspace } from "../http/workspace.js";
import { median } from "../report.js";

/** Absolute path of the script that is loaded before a server. */
export const SCRIPT = fileURLToPath(new URL("answer-without-sockets.mjs", import.meta.url));

export const SERVERS = ["tenon", "fastify"] as const;
export type Server = (typeof SERVERS)[number];

/** How servers run: with which store, and whether each request is logged. */
export interface Setting {
  readonly store: StoreName;
  readonly logs: boolean;
}

export const SETTINGS: readonly Setting[] = [
  { store: "memory", logs: true },
  { store: "memory", logs: false },
  { store: "sqlite", logs: true },
  { store: "sqlite", logs: false },
];

/** How long requests are sent before those that count, in seconds: by then V8 has optimized the code. */
const WARM_UP = 1;

export interface Options {
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
  /** Absolute paths of the Node.js to measure with. */
  readonly nodes: readonly string[];
}

/** One server's slice of one operation. */
export interface Slice {
  /** `20.20.2`. */
  readonly node: string;
  readonly setting: Setting;
  readonly server: Server;
  readonly scenario: ScenarioName;
  /** Processor time for each request, in microseconds. */
  readonly cpu: number;
}

/**
 * Measures both servers in turn, in fresh processes in each round.
 * @returns The slices, round by round.
 */
export async function measureWithoutSockets(
  { rounds, seconds, nodes }: Options,
  workspace: Workspace,
): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const path of nodes) {
      const node = execFileSync(path, ["--version"], { encoding: "utf8" }).trim().slice(1);
      for (const setting of SETTINGS) {
        showProgress(`round ${round + 1} of ${rounds}, Node ${node}, ${setting.store}`);
        const cpus = await measureServers({ path, seconds, setting }, workspace);
        slices.push(...cpus.map((cpu) => ({ node, setting, ...cpu })));
      }
    }
  showProgress("");
  return slices;
}

interface Run {
  readonly path: string;
  readonly seconds: number;
  readonly setting: Setting;
}

async function measureServers({ path, seconds, setting }: Run, workspace: Workspace) {
  const running: { server: Server; process: ServerProcess }[] = [];
  const measured: Pick<Slice, "server" | "scenario" | "cpu">[] = [];
  try {
    for (const server of shuffle(SERVERS)) {
      const script = ["--import", SCRIPT, `${workspace.servers}/${server}.mjs`];
      const process = await ServerProcess.start(server, workspace, { node: path, ...setting, script });
      running.push({ server, process });
    }
    for (const scenario of SCENARIO_NAMES) {
      const { requests, status } = SCENARIOS[scenario];
      const load = { requests: requests(workspace.key), status, seconds };
      for (const { process } of running) await process.ask({ ...load, seconds: WARM_UP });
      for (const { server, process } of running) {
        measured.push({ server, scenario, cpu: median(await process.ask<number[]>(load)) });
        process.emptyLog();
      }
    }
    return measured;
  } finally {
    await Promise.all(running.map(({ process }) => process.stop()));
  }
}
