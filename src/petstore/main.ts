import cluster from "node:cluster";
import { startCluster } from "./cluster/cluster.js";
import { runWorker } from "./cluster/worker.js";
import { type Config, loadConfig } from "./config.js";
import { explain } from "./explain.js";
import { createLogger, type Logger } from "./log.js";
import { type MetricsServer, startMetricsServer } from "./metrics/metrics-server.js";
import { startService, type Service } from "./service.js";

/**
 * Runs the service until SIGTERM or SIGINT; a second signal ends it at once. With several processes this is what each
 * of them runs: the first starts the others, which are workers.
 */
async function main(): Promise<void> {
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
  const service = await (config.webConcurrency === 1
    ? startService({ config, logger })
    : startCluster({ config, logger, onFailure }));
  const metrics = await startMetrics(service, config, logger);

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
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
      // The last of all, so that the draining can be watched.
      .finally(() => metrics?.stop());
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  // Only now: whoever reads this may stop the service at once.
  const { environment, webConcurrency: processes } = config;
  logger.info({ url: service.url, metricsUrl: metrics?.url, environment, processes }, "listening");
  if (environment === "development") await introduce(service);
}

/** @throws when the port of the metrics is in use; the service has stopped then. */
async function startMetrics(
  service: Service,
  { metricsHost: host, metricsPort: port }: Config,
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  try {
    return await startMetricsServer({ host, port, collect: () => service.measure(), logger });
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** In development the first start makes a key and shows it, once, in a command that works as it stands. */
async function introduce({ url, keys }: Service): Promise<void> {
  const lines = [`Docs: ${url}/docs`];
  if ((await keys.list()).length === 0) {
    const { key } = await keys.issue({ name: "development" });
    lines.push(
      "No API key existed, so one was made. It is shown only now:",
      `  ${key}`,
      "Try it:",
      `  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets`,
    );
  } else {
    lines.push("Another API key: npm run -s keys -- issue --name NAME");
  }
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

main().catch(fail);
