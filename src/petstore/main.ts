import cluster from "node:cluster";
import { runWorker } from "./cluster/worker.js";
import { type Config, loadConfig } from "./config.js";
import { endWithin, STOP_MARGIN_MS } from "./end-within.js";
import { explain } from "./errors.js";
import { createLogger, type Logger } from "./log.js";
import type { MetricsServer } from "./metrics/metrics-server.js";
import { startService, type Service } from "./service.js";

/**
 * npm passes signals on. A signal to all processes, such as that of Ctrl-C, therefore reaches the service twice within this time,
 * in milliseconds. Without npm no signal is repeated.
 */
const REPEATED_SIGNAL_MS = isBelowNpm() ? 1_000 : 0;

/** Time between two checks whether npm still runs, in milliseconds. */
const PARENT_CHECK_MS = 1_000;

const PARENT = process.ppid;

/**
 * Runs the service until SIGTERM or SIGINT; a second signal ends it at once. With several processes each of them runs this:
 * the first one starts the others, its workers.
 */
async function main(): Promise<void> {
  // A full disk is an error of the stream, which would end the process.
  process.stderr.on("error", () => undefined);
  const config = loadConfig(process.env);
  const logger = createLogger(config.logLevel);
  if (cluster.worker !== undefined) {
    await runWorker(cluster.worker, { config, logger });
    return;
  }
  const onFailure = (error: Error): void => {
    fail(error);
    process.exit();
  };
  // The cluster is loaded only with several processes, because it loads the metrics library.
  const start =
    config.webConcurrency === 1 ? startService : (await import("./cluster/cluster.js")).startCluster;
  const service = await start({ config, logger, onFailure });
  const metrics = await startMetrics(service, config, logger);

  let first: { readonly signal: NodeJS.Signals; readonly time: number } | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    const time = performance.now();
    if (signal === first?.signal && time - first.time < REPEATED_SIGNAL_MS) return;
    if (first !== undefined) process.exit(1);
    first = { signal, time };
    // Twice the margin of workers, so that they end before this process does.
    endWithin(config.drainDelayMs + config.shutdownGraceMs + 2 * STOP_MARGIN_MS, 1);
    logger.info({ signal }, "stopping");
    service
      .stop()
      .then(
        () => {
          logger.info("stopped");
        },
        (error: unknown) => {
          logger.error({ err: error }, "stopping failed");
          process.exitCode = 1;
        },
      )
      // Stopped last, so that metrics show the shutdown.
      .finally(() => {
        metrics?.stop();
        endWithin();
      });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (isBelowNpm()) {
    // npm waits for the service unless it is killed. Then no one would pass signals on any more.
    setInterval(() => {
      if (process.ppid !== PARENT && first === undefined) stop("SIGTERM");
    }, PARENT_CHECK_MS).unref();
  }

  // Logged last, because a reader of this line may stop the service at once.
  const { environment, webConcurrency: processes } = config;
  logger.info({ url: service.url, metricsUrl: metrics?.url, environment, processes }, "listening");
  if (environment !== "development") return;
  await printIntroduction(service).catch((error: unknown) => {
    logger.warn({ err: error }, "the first API key could not be issued");
  });
}

/** @throws when the metrics server cannot listen; the service is stopped then. */
async function startMetrics(
  service: Service,
  { metricsHost: host, metricsPort: port }: Config,
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  try {
    const { startMetricsServer } = await import("./metrics/metrics-server.js");
    return await startMetricsServer({ host, port, collect: () => service.measure(), logger });
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Prints how to call the service. The first start in development issues a key, and prints it once in a complete command. */
async function printIntroduction({ url, keys }: Service): Promise<void> {
  const lines = [`Docs: ${url}/docs`];
  if ((await keys.list()).length === 0) {
    const { key } = await keys.issue({ name: "development" });
    lines.push(
      "The first API key was issued. It is not shown again:",
      `  ${key}`,
      "Try it:",
      `  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets`,
    );
  } else {
    lines.push("Another API key: npm run -s keys -- issue --name NAME");
  }
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}

function isBelowNpm(): boolean {
  return process.env["npm_lifecycle_event"] !== undefined;
}

function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
  endWithin();
}

main().catch(fail);
