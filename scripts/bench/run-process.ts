import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const REPORT_USAGE = new URL("report-usage.mjs", import.meta.url).href;

/** What a process and those that it started took. */
export interface Run {
  /** From its start to its end, in milliseconds. */
  readonly time: number;
  /** Milliseconds that processors worked for it. */
  readonly work: number;
  /** Sum of the peaks of all processes, in megabytes. */
  readonly memory: number;
  /** Exit code. */
  readonly status: number | null;
  readonly stderr: string;
}

/** Runs a script of Node's. */
export function runProcess(argv: readonly string[], cwd: string): Run {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-usage-"));
  const file = join(folder, "usage");
  const env = { ...process.env, NODE_OPTIONS: `--import ${REPORT_USAGE}`, BENCH_USAGE: file };
  const start = performance.now();
  const options = { cwd, env, encoding: "utf8", maxBuffer: Infinity } as const;
  const { status, stderr } = spawnSync(process.execPath, argv, options);
  const time = performance.now() - start;
  const usages = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as NodeJS.ResourceUsage);
  rmSync(folder, { recursive: true });
  const sum = (of: (usage: NodeJS.ResourceUsage) => number) =>
    usages.reduce((total, usage) => total + of(usage), 0);
  return {
    time,
    // Microseconds and kilobytes.
    work: sum(({ userCPUTime, systemCPUTime }) => userCPUTime + systemCPUTime) / 1000,
    memory: sum(({ maxRSS }) => maxRSS) / 1024,
    status,
    stderr,
  };
}
