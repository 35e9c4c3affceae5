/**
 * The Pet Store Service beside the same contract written with other frameworks: how much each serves and what it takes.
 * Writes `scripts/bench/RESULTS.md` and `results.svg`.
 *
 *     npm run bench -- [--starts N] [--rounds N] [--servers a,b] [--scenarios a,b] [--store memory,sqlite] …
 *
 * `-- --quick` takes two minutes and only prints, `-- --against DIR` compares two builds, `-- --startup` measures how servers
 * start. `-- --check` only compares what the servers answer, `-- --growth` measures contracts of many operations.
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { ARE_PINNED } from "./bench/http/child.js";
import { type Answer, findDifferences, probe } from "./bench/http/check.js";
import {
  compareBuilds,
  formatChanges,
  MEMORY,
  START_CPU,
  START_TIME,
  toThroughput,
} from "./bench/http/compare.js";
import { createContestants } from "./bench/http/contestants.js";
import { measureGrowth } from "./bench/http/growth.js";
import { measure } from "./bench/http/measure.js";
import {
  type BenchOptions,
  estimate,
  parseOptions,
  type StoreName,
  USAGE,
  UsageError,
} from "./bench/http/options.js";
import { formatRun, readResults, writeResults } from "./bench/http/page.js";
import { toServerResults, withGrowth, withRun } from "./bench/http/results.js";
import type { ServerName } from "./bench/http/servers.js";
import { formatStartup, measureStartup } from "./bench/http/startup.js";
import { createOwnWorkspace, createWorkspace, type Workspace } from "./bench/http/workspace.js";
import { describeProcessor } from "./bench/report.js";

async function main(options: BenchOptions): Promise<void> {
  const { mode, node, against, stores } = options;
  if (mode === "page") {
    writeResults(readResults());
    return;
  }
  const workspace = createWorkspace(options);
  const old = against === undefined ? undefined : createOwnWorkspace(node, against);
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const cores = ARE_PINNED ? "servers and load on a core each" : "servers and load on any core";
  const host = { node: version, machine: `${describeProcessor()}, ${cores}` };
  if (mode === "growth") {
    writeResults(withGrowth(readResults(), { ...host, ...(await measureGrowth(options, workspace)) }));
    return;
  }
  for (const store of stores) await check(options, store, workspace);
  if (mode === "check") return;

  report(`Measuring for about ${(estimate(options) / 60).toFixed(1)} minutes; a busy machine takes longer`);
  for (const store of stores) {
    const contestants = createContestants(options, store, workspace, old);
    if (mode === "startup") {
      const measurements = await measureStartup(contestants, options, workspace, old);
      const title = `Node ${version}, store: ${store}, ${options.starts} starts. ${host.machine}.`;
      process.stdout.write(`${title}\n\n${formatStartup(measurements)}`);
      continue;
    }
    const { logs, rounds, seconds, scenarios } = options;
    const measurements = await measure(contestants, options, store);
    const run = { ...host, store, logs, rounds, seconds, servers: toServerResults(measurements) };
    if (mode === "measure" && old === undefined) {
      writeResults(withRun(readResults(), run));
      continue;
    }
    const figures = [...scenarios.map(toThroughput), START_TIME, START_CPU, MEMORY];
    process.stdout.write(formatRun(run) + formatChanges(compareBuilds(measurements, "tenon", figures)));
  }
}

/** @throws when a server responds otherwise than the service. */
async function check(options: BenchOptions, store: StoreName, workspace: Workspace): Promise<void> {
  const servers = [...new Set<ServerName>(["tenon", ...options.servers])];
  const answers = new Map<string, Awaited<ReturnType<typeof probe>>>();
  for (const { name, start } of createContestants({ ...options, servers }, store, workspace)) {
    const server = await start();
    try {
      answers.set(name, await probe(server.url, workspace.key));
    } finally {
      await server.stop();
    }
  }
  const ours = answers.get("tenon") ?? new Map<string, Answer>();
  const differences = [...answers].flatMap(([name, theirs]) => findDifferences(name, ours, theirs));
  if (differences.length > 0) throw new Error(`Not the same service on ${store}:\n${differences.join("\n")}`);
  report(`${servers.length} servers give the same ${ours.size} answers on ${store}`);
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError;
  report(isUsage ? `${error.message}\n\n${USAGE}` : ((error as Error).stack ?? String(error)));
  process.exitCode = isUsage ? 2 : 1;
}
