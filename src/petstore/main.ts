import { BrokenContractError } from "./app.js";
import { ConfigError, loadConfig } from "./config.js";
import { createLogger } from "./log.js";
import { startService, type Service } from "./service.js";
import { StoreOpenError, StoreUnavailableError } from "./store/store.js";

/** Runs the service until SIGTERM or SIGINT; a second signal ends it at once. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger(config.logLevel);
  const service = await startService({ config, logger });

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, "stopping");
    service.stop().then(
      () => {
        logger.info("stopped");
      },
      (error: unknown) => {
        logger.error({ err: error }, "stopping failed");
        process.exitCode = 1;
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  // Only now: whoever reads this may stop the service at once.
  logger.info({ url: service.url, environment: config.environment }, "listening");
  if (config.environment === "development") await introduce(service);
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

/** One line for what whoever starts the service can mend; everything else is a bug and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof BrokenContractError) return error.message;
  if (error instanceof StoreOpenError || error instanceof StoreUnavailableError) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return `${message}: set PORT to a free port, or to 0 for any`;
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${message}: set HOST and PORT`;
  return stack ?? message;
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
