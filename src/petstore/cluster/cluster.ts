import process from "node:process";
import type { Config } from "../config.js";
import { Keys } from "../keys/keys.js";
import type { Logger } from "../log.js";
import { ProcessMetrics } from "../metrics/process-metrics.js";
import { mergeSnapshots } from "../metrics/snapshot.js";
import type { Service } from "../service.js";
import { openStore } from "../store/open.js";
import { WorkerError, WorkerSlot } from "./worker-slot.js";

/** When no worker serves and each slot has failed so often in a row, the service ends: it will not get better here. */
const MOST_FAILED_STARTS = 5;

/** Silence that ends a worker is so many pings long. */
const PING_LIMIT = 6;

/** How much longer than its delay and grace a worker may take to stop, in milliseconds. */
const STOP_MARGIN_MS = 5_000;

/** How long a worker may take to tell what it measured, in milliseconds: less than scrapers wait. */
const MEASURE_LIMIT_MS = 1_000;

export interface ClusterOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Called when workers cannot be replaced and none is left; the process is to end. */
  readonly onFailure: (error: WorkerError) => void;
  /** How often workers are asked whether they answer, in milliseconds; six times that is the limit. Default: 5,000. */
  readonly pingMs?: number;
}

/**
 * The service in several worker processes that share one port: `node:cluster` accepts connections in this process and
 * hands them to the workers in turn. Each worker runs this process's own main file again.
 * @throws when the store does not open or a worker does not start; what was started has ended then.
 */
export async function startCluster(options: ClusterOptions): Promise<Service> {
  const { config, logger, onFailure, pingMs = 5_000 } = options;
  // First of all, so that workers find the schema up to date. Closed last of all.
  const store = await openStore(config.databaseUrl, { poolSize: config.databasePoolSize });
  const metrics = config.metricsPort === undefined ? undefined : new ProcessMetrics();
  let { port } = config;
  let url = "";

  const slots = Array.from(
    { length: config.webConcurrency },
    () =>
      new WorkerSlot({
        logger,
        pingLimit: PING_LIMIT,
        env: () => ({ PORT: String(port) }),
        onEnd: (reason) => {
          if (url === "" || slots.some(({ isListening }) => isListening)) return;
          // The port is held for as long as a worker listens; one that was any free port must be the same again.
          if (port === 0) port = Number(new URL(url).port);
          if (slots.every(({ failedStarts }) => failedStarts >= MOST_FAILED_STARTS)) {
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
    metrics?.stop();
    throw error;
  }
  const pings = setInterval(() => {
    for (const slot of slots) slot.ping();
  }, pingMs);

  return {
    url,
    keys: new Keys(store.keys),
    async measure() {
      if (metrics === undefined) return [];
      const measured = await Promise.all(slots.map((slot) => slot.measure(MEASURE_LIMIT_MS)));
      const parts = measured.flatMap((snapshots, index) =>
        snapshots.map((snapshot) => ({ process: `worker-${index + 1}`, snapshot })),
      );
      return mergeSnapshots([...parts, { process: "primary", snapshot: metrics.registry.snapshot() }]);
    },
    async stop() {
      // Workers that lose this process drain; a process that ends while it stops was told to end at once.
      process.once("exit", killAll);
      clearInterval(pings);
      const limit = config.drainDelayMs + config.shutdownGraceMs + STOP_MARGIN_MS;
      const drained = await Promise.all(slots.map((slot) => slot.stop(limit)));
      await store.close();
      metrics?.stop();
      if (drained.includes(false)) throw new WorkerError("A worker process did not stop by itself");
    },
  };
}
