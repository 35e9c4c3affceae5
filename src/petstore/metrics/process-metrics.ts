import { readdirSync } from "node:fs";
import {
  constants,
  type EventLoopUtilization,
  PerformanceObserver,
  type PerformanceEntry,
} from "node:perf_hooks";
import process from "node:process";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { countDroppedLines } from "../log.js";

/** Interval of the timer that measures the event loop's delay, in milliseconds: too long to cost anything. */
const LOOP_INTERVAL_MS = 20;

const LOOP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const GC_BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

/**
 * Registers the metrics of this process, under the names that Prometheus clients share. They are not `collectDefaultMetrics`
 * of prom-client: its event loop figures are reset by each scrape, so that two scrapers would spoil each other's.
 * @returns a function that stops measuring.
 */
export function measureProcess(registry: Registry): () => void {
  registerFigures(registry);
  const stopLoop = measureEventLoop(registry);
  const stopCollections = measureCollections(registry);
  return () => {
    stopLoop();
    stopCollections();
  };
}

function registerFigures(registry: Registry): void {
  const register = (Type: typeof Counter | typeof Gauge, name: string, help: string, read: () => number) =>
    new Type({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const memory = (): NodeJS.MemoryUsage => process.memoryUsage();
  const cpu = (): NodeJS.CpuUsage => process.cpuUsage();
  const loop = (): EventLoopUtilization => performance.eventLoopUtilization();
  const started = Date.now() / 1000 - process.uptime();
  register(
    Gauge,
    "process_start_time_seconds",
    "Start time of the process, in seconds since 1970.",
    () => started,
  );
  register(Gauge, "process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  register(Gauge, "nodejs_heap_size_total_bytes", "Size of the V8 heap.", () => memory().heapTotal);
  register(Gauge, "nodejs_heap_size_used_bytes", "Used part of the V8 heap.", () => memory().heapUsed);
  register(Gauge, "nodejs_external_memory_bytes", "Memory outside the heap.", () => memory().external);
  // One descriptor is that of the list itself.
  const countDescriptors = (): number => readdirSync("/proc/self/fd").length - 1;
  if (process.platform === "linux")
    register(Gauge, "process_open_fds", "Open file descriptors, including sockets.", countDescriptors);

  register(Counter, "process_cpu_user_seconds_total", "CPU time in user mode.", () => cpu().user / 1e6);
  register(Counter, "process_cpu_system_seconds_total", "CPU time in the kernel.", () => cpu().system / 1e6);
  const cpuSeconds = (): number => (cpu().user + cpu().system) / 1e6;
  register(Counter, "process_cpu_seconds_total", "CPU time.", cpuSeconds);
  register(
    Counter,
    "petstore_log_lines_dropped_total",
    "Log lines that standard output did not take in time.",
    countDroppedLines,
  );
  const [active, idle] = [() => loop().active / 1000, () => loop().idle / 1000];
  register(Counter, "nodejs_eventloop_active_seconds_total", "Time the event loop was busy.", active);
  register(Counter, "nodejs_eventloop_idle_seconds_total", "Time the event loop was idle.", idle);
}

function measureEventLoop(registry: Registry): () => void {
  const delay = new Histogram({
    name: "nodejs_eventloop_delay_seconds",
    help: `Delay of a timer of ${LOOP_INTERVAL_MS} ms.`,
    buckets: LOOP_BUCKETS,
    registers: [registry],
  });
  let expected = performance.now() + LOOP_INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - expected) / 1000);
    expected = now + LOOP_INTERVAL_MS;
  }, LOOP_INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

type CollectionEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

function measureCollections(registry: Registry): () => void {
  const pauses = new Histogram({
    name: "nodejs_gc_duration_seconds",
    help: "Duration of garbage collections.",
    labelNames: ["kind"],
    buckets: GC_BUCKETS,
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as CollectionEntry[])
      pauses.observe({ kind: GC_KINDS[detail?.kind ?? 0] ?? "other" }, duration / 1000);
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => {
    observer.disconnect();
  };
}
