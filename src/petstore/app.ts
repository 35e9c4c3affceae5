import express, { type Express } from "express";
import { createDocsRouter } from "tenon/docs";
import { createMcpRouter } from "tenon/mcp";
import { createErrorHandler, HttpError, type Observe } from "tenon/runtime";
import { contractUrl, createApi, type ErrorOptions } from "../../generated/v1/server.js";
import type { Config } from "./config.js";
import { createContractFilesRouter, readContract } from "./contract-files.js";
import { createCors } from "./cors.js";
import { OperatorError, toErrorBody } from "./errors.js";
import { type HandlerContext, pets, type ServicePrincipals } from "./handlers/pets.js";
import type { Keys } from "./keys/keys.js";
import { createRequestLimits } from "./limits/request-limits.js";
import { logFailure, logResponseProblem, requestLog, type Logger } from "./log.js";
import type { ServiceMetrics } from "./metrics/service-metrics.js";
import { createHealthRouter, type Readiness } from "./health-checks.js";
import { type RateStore, StoreUnavailableError, type Store } from "./store/store.js";
import type { Tracing } from "./tracing.js";

/**
 * Headers of every response: browsers must not guess its type, cache it, run or frame it as a page, or embed it in other
 * sites. `Strict-Transport-Security` is left to the proxy that terminates TLS (RFC 6797, section 7.2).
 */
export const RESPONSE_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

export interface AppOptions {
  readonly config: Config;
  readonly store: Store;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Shares the rates of keys between processes. Default: this process counts for itself. */
  readonly rates?: RateStore | undefined;
  readonly metrics?: ServiceMetrics | undefined;
  /** See {@link loadTracing}. */
  readonly tracing?: Tracing | undefined;
  /**
   * Current time in milliseconds, for the removal of deprecated operations and for rates. Default: `Date.now`, and
   * `performance.now` for rates.
   */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates the service as an Express app: the contract's operations, its docs and the health checks.
 * @throws {OperatorError} when the contract cannot be enforced.
 */
export function createApp(options: AppOptions): Express {
  const { config, store, keys, logger, readiness, rates, metrics, tracing, now } = options;
  const errors: ErrorOptions = {
    errorBody: toErrorBody,
    toHttpError: (error) =>
      error instanceof StoreUnavailableError
        ? new HttpError("unavailable", { cause: error, headers: { "Retry-After": "1" } })
        : undefined,
    onFailure: (failure, request) => {
      logFailure(logger, failure, request);
    },
  };
  const limits = createRequestLimits({ ...config, rates, logger, now });
  const observe = observeBoth(tracing?.observe, metrics?.observe);
  const api = enforce(() =>
    createApi<HandlerContext, ServicePrincipals>({
      ...errors,
      handlers: pets,
      authenticators: {
        async bearerAuth(key, { operationId, request }) {
          const principal = await keys.authenticateKey(key);
          if (principal === undefined) limits.countFailure(request, operationId);
          return principal;
        },
      },
      admit: ({ auth, operationId, response }) =>
        auth?.bearerAuth && limits.admit({ keyId: auth.bearerAuth.id, operationId, response }),
      context: () => ({ store }),
      responseValidation: config.responseValidation,
      responseSampling: config.responseSampling,
      onResponseProblem: (problem, request) => {
        logResponseProblem(logger, problem, request);
        metrics?.responseProblem(problem.operationId);
      },
      bodyLimit: config.bodyLimitBytes,
      ...(observe !== undefined && { observe }),
      maxInFlight: config.maxInFlight,
      ...(now !== undefined && { now }),
    }),
  );
  const contract = readContract(config.publicUrl);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.set("trust proxy", config.trustedProxies);

  if (tracing !== undefined) app.use(tracing.redact);
  app.use(requestLog(logger, metrics));
  if (config.corsOrigins !== undefined) app.use(createCors(config.corsOrigins, contract));
  // First, because it gets most requests. It leaves paths outside its base path to the others.
  app.use(api);
  app.use(createHealthRouter(store, readiness));
  app.use(createContractFilesRouter(contract));
  app.use("/mcp", createMcpRouter(api));
  app.use("/docs", createDocsRouter({ folder: new URL("docs/", contractUrl) }));
  app.use(() => {
    throw new HttpError("not_found");
  });
  app.use(createErrorHandler(errors));
  return app;
}

/** Combines two observers. Tracing only names spans, so it has no use for phases. */
function observeBoth(tracing: Observe | undefined, measure: Observe | undefined): Observe | undefined {
  if (tracing === undefined || measure === undefined) return tracing ?? measure;
  return (observed) => {
    tracing(observed);
    return measure(observed);
  };
}

function enforce<Api>(create: () => Api): Api {
  try {
    return create();
  } catch (cause) {
    // Parsers quote the text that they could not read, including its line breaks.
    const reason = (cause as Error).message.replace(/\s+/g, " ");
    throw new OperatorError(`Cannot enforce the contract: ${reason}`, { cause });
  }
}
