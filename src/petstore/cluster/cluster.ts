import process from "node:process";
import { Registry } from "prom-client";
import type { Config } from "../config.js";
import { STOP_MARGIN_MS } from "../end-within.js";
import { Keys } from "../keys/keys.js";
import type { Logger } from "../log.js";
import { measureProcess } from "../metrics/process-metrics.js";
import type { Service } from "../service.js";
import { openStore } from "../store/open.js";
import { labelProcess } from "../metrics/combined-metrics.js";
import { WorkerError, WorkerSlot } from "./worker-slot.js";

/** When no worker serves and each slot has failed to start this often in a row, the service ends. */
const MAX_FAILED_STARTS = 5;

/** A worker that misses this number of pings is killed. */
const PING_LIMIT = 6;

/** Time that a worker may take to send its metrics, in milliseconds: less than scrapers wait. */
const MEASURE_LIMIT_MS = 1_000;

export interface ClusterOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Called when no worker is left and none starts; the process must end. */
  readonly onFailure: (error: WorkerError) => void;
  /** Interval of pings in milliseconds. Default: 5,000. */
  readonly pingMs?: number;
}

/**
 * Starts the service in several worker processes that share one port. `node:cluster` accepts connections in this process and
 * hands them to the workers in turn. Each worker runs the main file of this process.
 * @throws when the store does not open or a worker does not start; all workers have ended then.
 */
export async function startCluster(options: ClusterOptions): Promise<Service> {
  const { config, logger, onFailure, pingMs = 5_000 } = options;
  // Opened before the workers start, so that the schema is up to date, and closed after they end.
  const store = await openStore(config.databaseUrl, { poolSize: config.databasePoolSize });
  const registry = new Registry();
  const stopMetrics = config.metricsPort === undefined ? undefined : measureProcess(registry);
  let { port } = config;
  let url = "";

  const slots = Array.from(
    { length: config.webConcurrency },
    (_, index) =>
      new WorkerSlot({
        name: `worker-${index + 1}`,
        logger,
        pingLimit: PING_LIMIT,
        env: () => ({ PORT: String(port) }),
        // If the last worker ends between this one's start and its listening, "any free port" is another one.
        accepts: (own) => url === "" || own === url,
        onEnd: (reason) => {
          if (url === "" || slots.some(({ isListening }) => isListening)) return;
          // The port is held while a worker listens. New workers must use the same one, even if it was any free port.
          if (port === 0) port = Number(new URL(url).port);
          if (slots.every(({ failedStarts }) => failedStarts >= MAX_FAILED_STARTS)) {
            onFailure(new WorkerError(`No worker process starts any more: ${reason}`));
          }
        },
      }),
  );
  const killAll = (): void => {
    for (const slot of slots) slot.kill();
  };

  try {
    const urls = await Promise.all(slots.map((slot) => slot.start()));
    url = urls[0] ?? "";
  } catch (error) {
    await Promise.all(slots.map((slot) => slot.stop(0)));
    await store.close();
    stopMetrics?.();
    throw error;
  }
  const pings = setInterval(() => {
    for (const slot of slots) slot.ping();
  }, pingMs);

  return {
    url,
    keys: new Keys(store.keys),
    async measure() {
      if (stopMetrics === undefined) return [];
      const workers = await Promise.all(slots.map((slot) => slot.measure(MEASURE_LIMIT_MS)));
      return [...workers.flat(), labelProcess(await registry.getMetricsAsJSON(), "primary")];
    },
    async stop() {
      // Workers that lose this process stop gracefully, but a process that ends while it stops got a second signal.
      process.once("exit", killAll);
      clearInterval(pings);
      const limit = config.drainDelayMs + config.shutdownGraceMs + STOP_MARGIN_MS;
      const drained = await Promise.all(slots.map((slot) => slot.stop(limit)));
      await store.close();
      stopMetrics?.();
      if (drained.includes(false)) throw new WorkerError("A worker process did not stop by itself");
    },
  };
}
