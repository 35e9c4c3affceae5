import express from "express";
import { createErrorHandler, createHttpServer, type Failure, HttpError, serveReadOnly } from "tenon/runtime";
import { OperatorError, toErrorBody } from "../errors.js";
import { listen, type ListenOptions } from "../listen.js";
import { logFailure, type Logger } from "../log.js";
import { chooseContentType, formatMetrics, type Metrics } from "./combined-metrics.js";

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
  serveReadOnly(app, "/metrics", async (request, response) => {
    const contentType = chooseContentType(request.headers.accept);
    response.setHeader("Content-Type", contentType);
    response.end(await formatMetrics(await collect(), contentType));
  });
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  const server = createHttpServer(app, errors);
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
