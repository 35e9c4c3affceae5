import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "tenon/runtime";
import { ANSWER_HEADERS, createApp } from "./app.js";
import type { Config } from "./config.js";
import { KeyUses } from "./keys/key-uses.js";
import { Keys } from "./keys/keys.js";
import { logFailure, type Logger } from "./log.js";
import type { Readiness } from "./operations.js";
import { toErrorBody } from "./problem.js";
import { parseDatabaseUrl } from "./store/database-url.js";
import { openStore } from "./store/open.js";

const HOUR_MS = 3_600_000;

export interface Service {
  /** Where the service listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly keys: Keys;
  /**
   * Drains and stops: readiness turns red, requests under way are answered, new connections are refused, the store is
   * closed. Takes at most the configured delay and grace.
   */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** See {@link AppOptions.now}. */
  readonly now?: () => number;
}

/**
 * Opens the store, enforces the contract and listens.
 * @throws when any of the three fails; what was opened is closed again.
 */
export async function startService({ config, logger, now }: ServiceOptions): Promise<Service> {
  const store = await openStore(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    idempotencyKeyMs: config.idempotencyKeyHours * HOUR_MS,
    ...(now !== undefined && { now }),
  });
  try {
    const uses = new KeyUses(store.keys, {
      onFailure: (error) => {
        logger.warn({ err: error }, "when keys were used is not written down yet");
      },
    });
    const keys = new Keys(store.keys, {
      onUse: (id) => {
        uses.note(id);
      },
    });
    const readiness: Readiness = { draining: false };
    const rates = isAlone(config) ? undefined : store.rates;
    const app = createApp({
      config,
      store,
      keys,
      logger,
      readiness,
      rates,
      ...(now !== undefined && { now }),
    });
    const server = createHttpServer(app, {
      errorBody: toErrorBody,
      headers: ANSWER_HEADERS,
      onFailure: (failure) => {
        logFailure(logger, failure);
      },
    });
    // Before the app, which may have answered when it returns. Told so that clients do not send another request into a
    // closing connection.
    server.prependListener("request", (_, response) => {
      if (readiness.draining) response.setHeader("Connection", "close");
    });
    await listen(server, config);
    const { address, port, family } = server.address() as AddressInfo;
    return {
      url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
      keys,
      async stop() {
        readiness.draining = true;
        await sleep(config.drainDelayMs);
        await closeServer(server, config.shutdownGraceMs);
        await uses.flush();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Is this process the only one on its database? Others may be on a PostgreSQL server from anywhere. */
function isAlone({ webConcurrency, databaseUrl }: Config): boolean {
  return webConcurrency === 1 && parseDatabaseUrl(databaseUrl)?.engine === "sqlite";
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Waits for requests under way; connections that idle are closed as they fall idle, the rest when the grace is over. */
async function closeServer(server: Server, graceMs: number): Promise<void> {
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  const grace = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeIdleConnections();
  });
  clearInterval(idle);
  clearTimeout(grace);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
