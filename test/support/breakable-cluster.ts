/** A cluster of the service whose workers fail while the file `BROKEN` exists. */
import cluster from "node:cluster";
import { existsSync } from "node:fs";
import process from "node:process";
import { startCluster } from "../../src/petstore/cluster/cluster.js";
import { loadConfig } from "../../src/petstore/config.js";
import { explain } from "../../src/petstore/errors.js";
import { createLogger } from "../../src/petstore/log.js";

const fail = (error: unknown): void => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
};

if (cluster.isWorker) {
  if (existsSync(process.env["BROKEN"] ?? "")) process.exit(7);
  await import("../../src/petstore/main.js");
} else {
  const config = loadConfig(process.env);
  const logger = createLogger(config.logLevel);
  const service = await startCluster({ config, logger, onFailure: fail }).catch(fail);
  logger.info({ url: service?.url }, "listening");
}
