// Loaded into every server that a benchmark measures: reports what the process used when asked, and ends with the benchmark.
import cluster from "node:cluster";
import { readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";

/** Clock ticks of `/proc` are hundredths of a second on every Linux. */
const MICROSECONDS_OF_TICK = 10_000;
const BYTES_OF_PAGE = 4_096;

/** Reads the processor time and the memory of the workers of a cluster, in microseconds and bytes. Linux only. */
function readWorkers() {
  const used = { cpu: 0, memory: 0 };
  for (const { process: worker } of Object.values(cluster.workers ?? {})) {
    // The name of the program is in parentheses, and may have spaces.
    const fields = readFileSync(`/proc/${worker.pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    used.cpu += (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_OF_TICK;
    used.memory += Number(fields[21]) * BYTES_OF_PAGE;
  }
  return used;
}

let pauses = { total: 0, longest: 0 };
const observer = new PerformanceObserver((list) => addPauses(list.getEntries()));

function addPauses(entries) {
  for (const { duration } of entries) {
    pauses.total += duration;
    pauses.longest = Math.max(pauses.longest, duration);
  }
}

/** Returns the pauses of the garbage collector since the last question; the first one starts counting. In milliseconds. */
function takePauses() {
  observer.observe({ entryTypes: ["gc"] });
  addPauses(observer.takeRecords());
  const taken = pauses;
  pauses = { total: 0, longest: 0 };
  return taken;
}

// The channel of a worker is that to its primary process.
if (cluster.isPrimary) {
  process.on("message", (message) => {
    if (message === "pauses") process.send(takePauses());
    if (message !== "usage") return;
    // With `--expose-gc`, memory is what is in use.
    globalThis.gc?.();
    // All threads of the process, in microseconds.
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const handles = process.getActiveResourcesInfo().length;
    const workers = readWorkers();
    process.send({ cpu: user + system + workers.cpu, memory: rss + workers.memory, heap: heapUsed, handles });
  });
  process.on("disconnect", () => process.exit());
  process.channel.unref();
}
