import { readdirSync } from "node:fs";
import { constants, PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import process from "node:process";
import { Registry } from "./instruments.js";

/** How often the event loop is expected to come by, in milliseconds: often enough to see what holds it up, too seldom to be felt. */
const LOOP_INTERVAL_MS = 20;

const LOOP_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COLLECTION_BOUNDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

const COLLECTIONS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

/** What a process says of itself, under the names that Prometheus's own clients use. Observes until {@link stop}. */
export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #loop: NodeJS.Timeout;
  readonly #collections: PerformanceObserver;

  constructor() {
    this.#addFigures();
    const delay = this.registry
      .histograms({
        name: "nodejs_eventloop_delay_seconds",
        help: `How much later than asked a timer of ${LOOP_INTERVAL_MS} ms runs.`,
        type: "histogram",
        isPerProcess: true,
        bounds: LOOP_BOUNDS,
      })
      .of();
    let expected = performance.now() + LOOP_INTERVAL_MS;
    this.#loop = setInterval(() => {
      const now = performance.now();
      delay.observe(Math.max(0, now - expected) / 1000);
      expected = now + LOOP_INTERVAL_MS;
    }, LOOP_INTERVAL_MS);
    this.#loop.unref();

    const pauses = this.registry.histograms({
      name: "nodejs_gc_duration_seconds",
      help: "Pauses for garbage collection.",
      type: "histogram",
      labels: ["kind"],
      isPerProcess: true,
      bounds: COLLECTION_BOUNDS,
    });
    this.#collections = new PerformanceObserver((list) => {
      for (const { duration, detail } of list.getEntries() as CollectionEntry[])
        pauses.of(COLLECTIONS[detail?.kind ?? 0] ?? "other").observe(duration / 1000);
    });
    this.#collections.observe({ entryTypes: ["gc"] });
  }

  stop(): void {
    clearInterval(this.#loop);
    this.#collections.disconnect();
  }

  #addFigures(): void {
    const gauge = (name: string, help: string, ask: () => number | undefined): void => {
      this.registry.asked({ name, help, type: "gauge", isPerProcess: true }, ask);
    };
    const counter = (name: string, help: string, ask: () => number): void => {
      this.registry.asked({ name, help, type: "counter", isPerProcess: true }, ask);
    };
    const started = Date.now() / 1000 - process.uptime();
    counter("process_cpu_user_seconds", "Processor time in user mode.", () => process.cpuUsage().user / 1e6);
    counter(
      "process_cpu_system_seconds",
      "Processor time in the kernel.",
      () => process.cpuUsage().system / 1e6,
    );
    counter("process_cpu_seconds", "Processor time.", () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", () => started);
    gauge("process_resident_memory_bytes", "Memory that the process holds.", () => process.memoryUsage.rss());
    gauge("process_open_fds", "Open file descriptors, sockets included.", countDescriptors);
    gauge("nodejs_heap_size_total_bytes", "Heap that V8 has.", () => process.memoryUsage().heapTotal);
    gauge("nodejs_heap_size_used_bytes", "Heap that is used.", () => process.memoryUsage().heapUsed);
    gauge("nodejs_external_memory_bytes", "Memory outside the heap.", () => process.memoryUsage().external);
    const loop = (): ReturnType<typeof performance.eventLoopUtilization> =>
      performance.eventLoopUtilization();
    counter(
      "nodejs_eventloop_active_seconds",
      "Time that the event loop worked.",
      () => loop().active / 1000,
    );
    counter("nodejs_eventloop_idle_seconds", "Time that the event loop waited.", () => loop().idle / 1000);
  }
}

type CollectionEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/** @returns undefined where the system has no list of them. */
function countDescriptors(): number | undefined {
  try {
    // One of them is the list itself.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}
