import type { Worker } from "node:cluster";
import process from "node:process";
import { endWithin, STOP_MARGIN_MS } from "../end-within.js";
import { explain } from "../errors.js";
import { startService, type ServiceOptions } from "../service.js";
import type { Metrics } from "../metrics/combined-metrics.js";

/** Messages to a worker: are you alive, send your metrics, stop gracefully. */
export type ToWorker = "ping" | "measure" | "stop";

/** Messages from a worker. */
export type FromWorker =
  | "pong"
  | { readonly measured: readonly Metrics[] }
  /** It listens on this URL. */
  | { readonly listening: string }
  /** It could not start, and ends. */
  | { readonly failed: string };

/**
 * Runs the service in this worker process until the primary process sends `stop` or is gone, or a signal arrives. The primary
 * process logs start and stop.
 * @param worker This process.
 */
export async function runWorker(worker: Worker, options: ServiceOptions): Promise<void> {
  const { config, logger } = options;
  // A message of node:cluster to a primary process that is gone. `disconnect` follows.
  worker.on("error", () => undefined);
  const starting = startService(options);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    // A signal to the process group and the message of the primary may both arrive.
    if (isStopping) return;
    isStopping = true;
    endWithin(config.drainDelayMs + config.shutdownGraceMs + STOP_MARGIN_MS, 1);
    try {
      await (await starting).stop();
    } catch (error) {
      logger.error({ err: error }, "stopping failed");
      process.exitCode = 1;
    }
    // The channel would keep the process alive. `process.exit` would lose log lines that are not written yet.
    if (process.connected) process.disconnect();
    endWithin();
  };
  const send = (message: FromWorker, sent?: () => void): void => {
    // A closed channel also emits `disconnect`.
    process.send?.(message, undefined, undefined, () => sent?.());
  };
  const measure = async (): Promise<void> => {
    send({ measured: await (await starting).measure() });
  };
  worker.on("message", (message: ToWorker) => {
    if (message === "ping") send("pong");
    else if (message === "measure") void measure();
    else void stop();
  });
  try {
    const { url } = await starting;
    worker.once("disconnect", () => {
      // Otherwise node:cluster ends the process at once, with its requests in progress.
      worker.exitedAfterDisconnect = true;
      if (!isStopping) logger.error("the primary process is gone; stopping");
      void stop();
    });
    process.on("SIGTERM", () => void stop());
    process.on("SIGINT", () => void stop());
    send({ listening: url });
  } catch (error) {
    send({ failed: explain(error) }, () => process.exit(1));
  }
}
