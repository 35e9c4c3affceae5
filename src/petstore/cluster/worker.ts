import type { Worker } from "node:cluster";
import process from "node:process";
import { explain } from "../explain.js";
import { startService, type ServiceOptions } from "../service.js";
import type { FromWorker, ToWorker } from "./messages.js";

/**
 * Runs the service in this worker process until the primary process says stop or is gone, or a signal arrives: then it
 * drains. The primary tells the world of it, so this logs neither start nor stop.
 * @param worker This process, as `node:cluster` sees it.
 */
export async function runWorker(worker: Worker, options: ServiceOptions): Promise<void> {
  const { logger } = options;
  const starting = startService(options);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    // A process group's signal and the primary's message both mean the one stop.
    if (isStopping) return;
    isStopping = true;
    try {
      await (await starting).stop();
    } catch (error) {
      logger.error({ err: error }, "stopping failed");
      process.exitCode = 1;
    }
    // The channel would keep the process. `process.exit` would lose the log's last lines, which are still being written.
    if (process.connected) process.disconnect();
  };
  const send = (message: FromWorker, sent?: () => void): void => {
    // When the channel is gone, `disconnect` tells.
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
      // Otherwise node:cluster ends the process at once, and with it the requests under way.
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
