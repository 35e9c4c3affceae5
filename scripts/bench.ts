/**
 * The Pet Store Service beside the same contract written with other frameworks: how much each serves and what it takes.
 * Writes `scripts/bench/RESULTS.md` and `results.svg`.
 *
 *     npm run bench -- [--rounds N] [--seconds S] [--servers a,b] [--scenarios a,b] [--store memory,sqlite] …
 *
 * `-- --check` only compares what the servers answer, `-- --growth` measures contracts of many operations.
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { ARE_PINNED } from "./bench/http/child.js";
import { findDifferences, probe } from "./bench/http/check.js";
import { measureGrowth } from "./bench/http/growth.js";
import { estimate, measure } from "./bench/http/measure.js";
import { type BenchOptions, parseOptions, type StoreName, USAGE, UsageError } from "./bench/http/options.js";
import { readResults, writeResults } from "./bench/http/page.js";
import { withGrowth, withRun } from "./bench/http/results.js";
import { ServerProcess } from "./bench/http/server-process.js";
import { createWorkspace, type Workspace } from "./bench/http/workspace.js";
import { describeProcessor } from "./bench/report.js";

async function main(options: BenchOptions): Promise<void> {
  if (options.mode === "page") {
    writeResults(readResults());
    return;
  }
  const workspace = createWorkspace(options);
  // What was started ends with this process, which is what its channel to each is for.
  process.once("exit", () => {
    workspace.remove();
  });
  const version = execFileSync(options.node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const cores = ARE_PINNED ? "servers and load on a core each" : "servers and load on any core";
  const host = { node: version, machine: `${describeProcessor()}, ${cores}` };
  if (options.mode === "growth") {
    writeResults(withGrowth(readResults(), { ...host, ...(await measureGrowth(options, workspace)) }));
    return;
  }
  for (const store of options.stores) await check(options, store, workspace);
  if (options.mode === "check") return;

  const seconds = estimate(options) * options.stores.length;
  print(`About ${Math.ceil(seconds / 60)} minutes`);
  const { rounds, logs, stores } = options;
  for (const store of stores) {
    const servers = await measure(options, store, workspace);
    writeResults(withRun(readResults(), { ...host, store, logs, rounds, seconds: options.seconds, servers }));
  }
}

/** @throws when a server does less than ours, or otherwise. */
async function check(options: BenchOptions, store: StoreName, workspace: Workspace): Promise<void> {
  const answersOf = async (name: BenchOptions["servers"][number]) => {
    const server = await ServerProcess.start(name, workspace, { ...options, store });
    try {
      return await probe(server.url, workspace.key);
    } finally {
      await server.stop();
    }
  };
  const ours = await answersOf("tenon");
  const differences: string[] = [];
  for (const name of options.servers) differences.push(...findDifferences(name, ours, await answersOf(name)));
  if (differences.length > 0) throw new Error(`Not the same service on ${store}:\n${differences.join("\n")}`);
  print(`${options.servers.length} servers give the same ${ours.size} answers on ${store}`);
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
try {
  await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError;
  print(isUsage ? `${error.message}\n\n${USAGE}` : ((error as Error).stack ?? String(error)));
  process.exitCode = isUsage ? 2 : 1;
}
