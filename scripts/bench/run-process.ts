import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const REPORT_USAGE = new URL("report-usage.mjs", import.meta.url).href;

/**
 * Runs a command and writes the processor time of its children to a file. The operating system counts it, so a process that is
 * killed counts too. `times` is part of every POSIX shell.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/times.html
 */
const COUNT_WORK = '"$@"; status=$?; times > "$BENCH_WORK"; exit $status';

/** `times` counts user and system time in hundredths of a second, in milliseconds. */
const PRECISION = 20;

/** What a process and those that it started took. */
export interface Run {
  /** From its start to its end, in milliseconds. */
  readonly time: number;
  /** Milliseconds that processors worked for it. NaN on Windows, which does not count descendants. */
  readonly work: number;
  /** Sum of the peaks of all processes, in megabytes. */
  readonly memory: number;
  /** Exit code. */
  readonly status: number | null;
  readonly stderr: string;
}

/**
 * Runs a script of Node's.
 * @throws if a process was not waited for or could not report: the figures would be too low.
 */
export function runProcess(argv: readonly string[], cwd: string): Run {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-usage-"));
  try {
    const [usage, work] = [join(folder, "usage"), join(folder, "work")];
    const env = {
      ...process.env,
      NODE_OPTIONS: `--import ${REPORT_USAGE}`,
      BENCH_USAGE: usage,
      BENCH_WORK: work,
    };
    const shell = process.platform === "win32" ? [] : ["/bin/sh", "-c", COUNT_WORK, "sh"];
    const [command = process.execPath, ...rest] = [...shell, process.execPath, ...argv];
    const start = performance.now();
    const { status, stderr } = spawnSync(command, rest, { cwd, env, encoding: "utf8", maxBuffer: Infinity });
    const time = performance.now() - start;
    const reported = readReports(readFileSync(usage, "utf8"));
    const counted = existsSync(work) ? readWork(readFileSync(work, "utf8")) : NaN;
    if (counted < reported.work - PRECISION)
      throw new Error("A process did not wait for one that it started");
    return { time, work: counted, memory: reported.memory, status, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the second line of `times`, user and system time of the children: `0m1.250000s 0m0.030000s`. */
function readWork(text: string): number {
  const times =
    text
      .trim()
      .split("\n")
      .at(-1)
      ?.matchAll(/(\d+)m([\d.,]+)s/g) ?? [];
  return [...times].reduce(
    (sum, [, minutes, seconds = ""]) =>
      sum + Number(minutes) * 60_000 + Number(seconds.replace(",", ".")) * 1000,
    0,
  );
}

/**
 * Adds what all processes report.
 * @param text A line at the start of each process, which is `null`, and one at its end.
 */
function readReports(text: string): Pick<Run, "work" | "memory"> {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as NodeJS.ResourceUsage | null);
  const usages = lines.filter((line) => line !== null);
  const missing = lines.length - 2 * usages.length;
  if (missing > 0) throw new Error(`${missing} of the processes did not report: still running, or killed`);
  const sum = (of: (usage: NodeJS.ResourceUsage) => number) =>
    usages.reduce((total, usage) => total + of(usage), 0);
  return {
    // Microseconds and kilobytes.
    work: sum(({ userCPUTime, systemCPUTime }) => userCPUTime + systemCPUTime) / 1000,
    memory: sum(({ maxRSS }) => maxRSS) / 1024,
  };
}
