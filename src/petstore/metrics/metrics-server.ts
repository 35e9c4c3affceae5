import express from "express";
import { createErrorHandler, createHttpServer, type Failure, HttpError, serveReadOnly } from "tenon/runtime";
import { listen, type ListenOptions } from "../listen.js";
import { logFailure, type Logger } from "../log.js";
import { toErrorBody } from "../problem.js";
import { chooseFormat } from "./exposition.js";
import type { Snapshot } from "./snapshot.js";

/** Nothing listens on the port of the metrics. The message is one line, for whoever starts the service. */
export class MetricsServerError extends Error {
  override readonly name = "MetricsServerError";
}

export interface MetricsServerOptions extends ListenOptions {
  readonly collect: () => Promise<Snapshot>;
  readonly logger: Logger;
}

export interface MetricsServer {
  /** Where it listens: `http://127.0.0.1:9090`. */
  readonly url: string;
  stop(): void;
}

/**
 * Serves `/metrics` on a port of its own, which callers of the service do not reach.
 * @throws {MetricsServerError} when it cannot listen.
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
  serveReadOnly(app, "/metrics", async (request, response) => {
    const { mediaType, write } = chooseFormat(request.headers.accept ?? "");
    response.setHeader("Content-Type", mediaType);
    response.end(write(await collect()));
  });
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  const server = createHttpServer(app, errors);
  const url = await listen(server, options).catch((cause: unknown) => {
    const reason = (cause as Error).message;
    throw new MetricsServerError(`Cannot serve metrics: ${reason}: set METRICS_PORT and METRICS_HOST`, {
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
