import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { createErrorHandler, createHttpServer, type Failure, HttpError, serveReadOnly } from "tenon/runtime";
import { OperatorError, toErrorBody } from "../errors.js";
import { listen, type ListenOptions } from "../listen.js";
import { logFailure, type Logger } from "../log.js";
import { chooseContentType, type ContentType, formatMetrics, type Metrics } from "./combined-metrics.js";

/** More than scrapers need. The process that serves metrics also serves, or distributes, all requests of callers. */
const MAX_CONNECTIONS = 100;

/** Pause after a collection, as a multiple of the time that it took: metrics take about a tenth of the time of a process. */
const PAUSE_FACTOR = 9;

/** A worker that does not respond makes a collection long. Scrapers wait for 10 seconds. */
const MAX_PAUSE_MS = 1_000;

export interface MetricsServerOptions extends ListenOptions {
  /** Collects the metrics of every process. */
  readonly collect: () => Promise<readonly Metrics[]>;
  readonly logger: Logger;
}

export interface MetricsServer {
  /** URL that it listens on: `http://127.0.0.1:9090`. */
  readonly url: string;
  stop(): void;
}

/**
 * Serves `/metrics` on its own port, which callers of the service do not reach.
 * @throws {OperatorError} when it cannot listen.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { collect, logger } = options;
  const errors = {
    errorBody: toErrorBody,
    onFailure: (failure: Failure) => {
      logFailure(logger, failure);
    },
  };
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  const connections = new Connections();
  app.use(({ socket }, response, next) => {
    connections.begin(socket);
    response.once("close", () => {
      connections.end(socket);
    });
    next();
  });
  const collectShared = shareCollections(collect);
  serveReadOnly(app, "/metrics", async (request, response) => {
    const contentType = chooseContentType(request.headers.accept);
    const text = (await collectShared())(contentType);
    response.setHeader("Content-Type", contentType);
    response.end(await text);
  });
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  const server = createHttpServer(app, { ...errors, maxConnections: MAX_CONNECTIONS + 1 });
  server.on("connection", (socket: Socket) => {
    connections.open(socket);
  });
  const url = await listen(server, options).catch((cause: unknown) => {
    const reason = (cause as Error).message;
    throw new OperatorError(`Cannot serve metrics: ${reason}: set METRICS_PORT and METRICS_HOST`, {
      cause,
    });
  });
  return {
    url,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The open connections. One too many closes the one that has been idle longest, so that idle ones keep no scraper out. */
class Connections {
  readonly #busy = new Set<Socket>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Socket>();

  open(socket: Socket): void {
    this.#idle.add(socket);
    socket.once("close", () => {
      this.#idle.delete(socket);
      this.#busy.delete(socket);
    });
    if (this.#idle.size + this.#busy.size <= MAX_CONNECTIONS) return;
    const [oldest] = this.#idle;
    oldest?.destroy();
  }

  begin(socket: Socket): void {
    this.#idle.delete(socket);
    this.#busy.add(socket);
  }

  end(socket: Socket): void {
    if (this.#busy.delete(socket) && !socket.destroyed) this.#idle.add(socket);
  }
}

type Format = (contentType: ContentType) => Promise<string>;

/**
 * Limits the time that metrics take, whatever the number of requests: those that wait share the next collection, and its text.
 * Each gets metrics that were collected after its arrival.
 */
export function shareCollections(collect: () => Promise<readonly Metrics[]>): () => Promise<Format> {
  let next: Promise<Format> | undefined;
  let free: Promise<unknown> = Promise.resolve();

  async function start(): Promise<Format> {
    await free;
    next = undefined;
    const began = performance.now();
    const collected = collect();
    const texts = new Map<ContentType, Promise<string>>();
    const pause = async (): Promise<void> => {
      // Those that waited ask for their text first.
      await nextTurn();
      await Promise.allSettled(texts.values());
      const pauseMs = Math.min(PAUSE_FACTOR * (performance.now() - began), MAX_PAUSE_MS);
      await sleep(pauseMs, undefined, { ref: false });
    };
    free = collected.then(pause, pause);
    const parts = await collected;
    return (contentType) => {
      const text = texts.get(contentType) ?? formatMetrics(parts, contentType);
      texts.set(contentType, text);
      return text;
    };
  }

  return () => (next ??= start());
}
