import type { Server } from "node:http";
import { createHttpServer } from "tenon/runtime";
import { ANSWER_HEADERS, createApp } from "./app.js";
import type { Config } from "./config.js";
import { KeyUses } from "./keys/key-uses.js";
import { Keys } from "./keys/keys.js";
import { listen } from "./listen.js";
import { logFailure, type Logger, requestId } from "./log.js";
import { ServiceMetrics } from "./metrics/service-metrics.js";
import type { Snapshot } from "./metrics/snapshot.js";
import { isHealthCheck, type Readiness } from "./operations.js";
import { toErrorBody } from "./problem.js";
import { parseDatabaseUrl } from "./store/database-url.js";
import { openStore } from "./store/open.js";
import { loadTracing } from "./tracing.js";

const HOUR_MS = 3_600_000;

export interface Service {
  /** Where the service listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly keys: Keys;
  /** What was measured so far; of several processes, added up. Empty where nothing is measured. */
  measure(): Promise<Snapshot>;
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
  const metrics = config.metricsPort === undefined ? undefined : new ServiceMetrics();
  const store = await openStore(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    idempotencyKeyMs: config.idempotencyKeyHours * HOUR_MS,
    ...(now !== undefined && { now }),
    onCommit: metrics?.commit,
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
    const tracing = await loadTracing();
    const app = createApp({
      config,
      store,
      keys,
      logger,
      readiness,
      rates,
      ...(metrics !== undefined && { metrics }),
      ...(tracing !== undefined && { tracing }),
      ...(now !== undefined && { now }),
    });
    const server = createHttpServer(app, {
      errorBody: toErrorBody,
      headers: ANSWER_HEADERS,
      requestTimeout: config.requestTimeoutMs,
      keepAliveTimeout: config.keepAliveTimeoutMs,
      maxConnections: config.maxConnections,
      overload: {
        maxEventLoopDelay: config.maxEventLoopDelayMs,
        isExempt: isHealthCheck,
        onRefused: (requests) => {
          logger.warn({ requests }, "requests refused: overload");
          metrics?.refused(undefined, 503, requests);
        },
      },
      onFailure: (failure, request) => {
        logFailure(logger, failure);
        // What the app has is counted when it is over there.
        if (request === undefined || requestId(request) === undefined)
          metrics?.refused(request?.method, failure.problem.status);
      },
    });
    // Before the app, which may have answered when it returns. Told so that clients do not send another request into a
    // closing connection.
    server.prependListener("request", (_, response) => {
      if (readiness.draining) response.setHeader("Connection", "close");
    });
    return {
      url: await listen(server, config),
      keys,
      measure: () => Promise.resolve(metrics?.snapshot() ?? []),
      async stop() {
        readiness.draining = true;
        await sleep(config.drainDelayMs);
        await closeServer(server, config.shutdownGraceMs);
        await uses.flush();
        await store.close();
        metrics?.stop();
      },
    };
  } catch (error) {
    await store.close();
    metrics?.stop();
    throw error;
  }
}

/** Is this process the only one on its database? Others may be on a PostgreSQL server from anywhere. */
function isAlone({ webConcurrency, databaseUrl }: Config): boolean {
  return webConcurrency === 1 && parseDatabaseUrl(databaseUrl)?.engine === "sqlite";
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
