import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpServer } from "tenon/runtime";
import { RESPONSE_HEADERS, createApp } from "./app.js";
import type { Config } from "./config.js";
import { KeyUses } from "./keys/key-uses.js";
import { Keys } from "./keys/keys.js";
import { listen } from "./listen.js";
import { logFailure, type Logger, requestId } from "./log.js";
import type { Metrics } from "./metrics/combined-metrics.js";
import type { ServiceMetrics } from "./metrics/service-metrics.js";
import { isHealthCheck, type Readiness } from "./health-checks.js";
import { toErrorBody } from "./errors.js";
import { openStore, parseDatabaseUrl } from "./store/open.js";
import { loadTracing } from "./tracing.js";

const HOUR_MS = 3_600_000;

export interface Service {
  /** URL that the service listens on: `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly keys: Keys;
  /** Returns the metrics of each process; none when metrics are off. */
  measure(): Promise<readonly Metrics[]>;
  /**
   * Stops gracefully: `/readyz` fails, new connections are refused, requests in progress finish, the store is closed. Takes
   * at most the configured delay and grace period.
   */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** See {@link AppOptions.now}. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens the store, creates the app and listens.
 * @throws when one of these fails; the store is closed then.
 */
export async function startService({ config, logger, now }: ServiceOptions): Promise<Service> {
  const metrics = config.metricsPort === undefined ? undefined : await createMetrics();
  const store = await openStore(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    idempotencyKeyMs: config.idempotencyKeyHours * HOUR_MS,
    now,
    onCommit: metrics?.commit,
  });
  try {
    const uses = new KeyUses(store.keys, {
      onFailure: (error) => {
        logger.warn({ err: error }, "the last use of keys could not be stored; it will be tried again");
      },
    });
    const keys = new Keys(store.keys, {
      onUse: (id) => {
        uses.record(id);
      },
    });
    const readiness: Readiness = { draining: false };
    const app = createApp({
      config,
      store,
      keys,
      logger,
      readiness,
      rates: isAlone(config) ? undefined : store.rates,
      metrics,
      tracing: await loadTracing(),
      now,
    });
    const server = createHttpServer(app, {
      errorBody: toErrorBody,
      headers: RESPONSE_HEADERS,
      requestTimeout: config.requestTimeoutMs,
      keepAliveTimeout: config.keepAliveTimeoutMs,
      maxConnections: config.maxConnections,
      overload: {
        maxEventLoopDelay: config.maxEventLoopDelayMs,
        maxUnsentBytes: config.maxUnsentBytes,
        isExempt: isHealthCheck,
        onRefused: (requests) => {
          logger.warn({ requests }, "requests refused: overload");
          metrics?.refused(undefined, 503, requests);
        },
      },
      onFailure: (failure, request) => {
        logFailure(logger, failure);
        // Requests that reached the app are counted there.
        if (request === undefined || requestId(request) === undefined)
          metrics?.refused(request?.method, failure.problem.status);
      },
    });
    // Runs before the app, which may have responded when it returns. The header keeps clients from sending another request
    // on a connection that is about to close.
    server.prependListener("request", (_, response) => {
      if (readiness.draining) response.setHeader("Connection", "close");
    });
    return {
      url: await listen(server, config),
      keys,
      measure: async () => (metrics === undefined ? [] : [await metrics.measure()]),
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

/** Loads the metrics library only where it is needed: loading it takes tens of milliseconds. */
async function createMetrics(): Promise<ServiceMetrics> {
  const { ServiceMetrics } = await import("./metrics/service-metrics.js");
  return new ServiceMetrics();
}

/** Tests whether this is the only process that uses the database. Any machine can use a PostgreSQL server. */
function isAlone({ webConcurrency, databaseUrl }: Config): boolean {
  return webConcurrency === 1 && parseDatabaseUrl(databaseUrl)?.engine === "sqlite";
}

/** Waits for requests in progress. Closes each connection once it is idle, and the rest after the grace period. */
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
