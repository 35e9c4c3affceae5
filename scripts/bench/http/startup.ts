import process from "node:process";
import { formatTable } from "../report.js";
import { Child } from "./child.js";
import { compareBuilds, formatChanges, MEMORY, START_CPU, START_TIME, toBuilds } from "./compare.js";
import { type Contestant, type Measured, type Measurements, showProgress } from "./measure.js";
import type { BenchOptions } from "./options.js";
import type { Usage } from "./server-process.js";
import { SERVERS } from "./servers.js";
import { formatMedian, shuffle, toSpread } from "./statistics.js";
import type { Workspace } from "./workspace.js";

const IMPORT = "import of tenon/runtime";

/** Imports the runtime as a service in the current folder would, when asked. */
const IMPORT_SCRIPT = `process.once("message", async () => {
  const before = process.cpuUsage();
  const start = performance.now();
  await import("tenon/runtime");
  const startTime = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  process.send({ startTime, cpu: user + system, memory: process.memoryUsage.rss() });
});`;

/**
 * Measures how long servers take to their first response, and how long `tenon/runtime` takes to load: one process at a time,
 * in turns.
 * @param old The other checkout, if there is one.
 */
export async function measureStartup(
  contestants: readonly Contestant[],
  { starts, node }: Pick<BenchOptions, "starts" | "node">,
  workspace: Workspace,
  old?: Workspace,
): Promise<Measurements> {
  const [newBuild, ...oldBuilds] = toBuilds(IMPORT);
  const toImport = (name: string, { root }: Workspace) => [name, () => importRuntime(root, node)] as const;
  const processes = [
    ...contestants.map((contestant) => [contestant.name, () => startServer(contestant)] as const),
    toImport(newBuild, workspace),
    ...(old === undefined ? [] : oldBuilds.map((name) => toImport(name, old))),
  ];
  const measurements = new Map<string, Measured[]>(processes.map(([name]) => [name, []]));
  // The first start, which reads the files from the disk, is not counted.
  for (let start = 0; start <= starts; start++) {
    for (const [name, run] of shuffle(processes)) {
      showProgress(`start ${start} of ${starts}, ${name}`);
      const measured = await run();
      if (start > 0) measurements.get(name)?.push(measured);
    }
  }
  showProgress("");
  return measurements;
}

async function startServer({ start }: Contestant): Promise<Measured> {
  const server = await start();
  await server.stop();
  const { startTime, startUsage } = server;
  return { startTime, startUsage, memory: startUsage.memory, slices: {} };
}

interface Imported extends Pick<Usage, "cpu" | "memory"> {
  readonly startTime: number;
}

/** @param folder Where `tenon` is looked up. */
async function importRuntime(folder: string, node: string): Promise<Measured> {
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" };
  const argv = ["--input-type=module", "--eval", IMPORT_SCRIPT];
  const child = new Child(argv, { core: "server", node, env, cwd: folder });
  try {
    const { startTime, ...startUsage } = await child.ask<Imported>("import");
    return { startTime, startUsage, memory: startUsage.memory, slices: {} };
  } finally {
    await child.stop();
  }
}

const TITLES: Readonly<Record<string, string>> = SERVERS;

/** Formats times and memory by process, and two builds beside each other where there are two. */
export function formatStartup(measurements: Measurements): string {
  const rows = [...measurements].map(([name, starts]) => [
    TITLES[name] ?? name,
    formatMedian(toSpread(starts.map(({ startTime }) => startTime)), 0),
    formatMedian(toSpread(starts.map(({ startUsage }) => startUsage.cpu / 1e3)), 0),
    formatMedian(toSpread(starts.map(({ memory }) => memory / 1e6)), 0),
  ]);
  const changes = [
    ...compareBuilds(measurements, "tenon", [START_TIME, START_CPU, MEMORY]),
    ...compareBuilds(measurements, IMPORT, [
      { ...START_TIME, title: "time to import tenon/runtime" },
      { ...START_CPU, title: "CPU time to import tenon/runtime" },
    ]),
  ];
  return formatTable(["Process", "Time, ms", "CPU, ms", "Memory, MB"], rows) + formatChanges(changes);
}
