import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { pino, stdTimeFunctions, type Logger } from "pino";
import { HttpError, type Failure, type ResponseProblem } from "tenon/runtime";
import type { LogLevel } from "./config.js";
import type { ServicePrincipals } from "./handlers/context.js";

export type { Logger };

/**
 * Most bytes that are written at once: several processes share standard output, and a pipe keeps whole only what is not
 * longer (`PIPE_BUF`, see pipe(7)).
 */
const MAX_WRITE = 4_096;

/** Longest path that is logged; what is longer is cut, so that its line fits into {@link MAX_WRITE}. */
const MAX_PATH = 2_048;

/** JSON lines on standard output, each with its process; nothing that is logged holds a header, a body or a query. */
export function createLogger(level: LogLevel): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: stdTimeFunctions.isoTime };
  return pino(options, pino.destination({ dest: 1, maxWrite: MAX_WRITE }));
}

/** The request's id, for the log and the caller; `requestLog` sets it first of all that the app does. */
export function requestId(request: IncomingMessage): string | undefined {
  return (request as Request).res?.locals["requestId"] as string | undefined;
}

/** Is told of each request that reaches the app. */
export interface RequestWatch {
  arrived(): void;
  /** The answer is sent, with the status of `response`, or the caller has left. `durationMs` is since it arrived. */
  over(request: Request, response: Response, durationMs: number): void;
}

/** What is known of a request so far; the runtime sets all but the first. */
interface Locals {
  requestId?: string;
  readonly operationId?: string;
  readonly auth?: Partial<ServicePrincipals>;
}

/**
 * Gives every request an id, kept from `X-Request-Id` when a proxy sent a usable one, and logs one line when it is over.
 * The path is logged without its query, which may hold what callers search for.
 * @param watch Here and not in a middleware of its own: a second listener on each response costs more than what it does.
 */
export function requestLog(logger: Logger, watch?: RequestWatch): RequestHandler {
  return (request, response, next) => {
    watch?.arrived();
    const start = performance.now();
    const sent = request.headers["x-request-id"];
    const id = typeof sent === "string" && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
    const { locals } = response as { locals: Locals };
    locals.requestId = id;
    response.setHeader("X-Request-Id", id);
    const path = request.path.slice(0, MAX_PATH);
    response.on("close", () => {
      const durationMs = performance.now() - start;
      watch?.over(request, response, durationMs);
      // A caller that went away before the end got no whole answer, whatever its status says.
      const isWhole = response.writableFinished;
      logger.info(
        {
          requestId: id,
          method: request.method,
          path,
          operationId: locals.operationId,
          keyId: locals.auth?.bearerAuth?.id,
          status: isWhole ? response.statusCode : undefined,
          aborted: isWhole ? undefined : true,
          durationMs: Math.round(durationMs * 1000) / 1000,
        },
        "request",
      );
    });
    next();
  };
}

/**
 * Logs what went wrong inside: errors of the caller, and what the service refuses on purpose, only at debug level; failures
 * of the service with their cause.
 */
export function logFailure(
  logger: Logger,
  { problem, phase, error, operation }: Failure,
  request?: IncomingMessage,
): void {
  const id = request && requestId(request);
  const fields = {
    requestId: id,
    operationId: operation?.id,
    phase,
    status: problem.status,
    code: problem.code,
  };
  const isRefusal = problem.status < 500 || (error instanceof HttpError && error.isRefusal);
  if (isRefusal) logger.debug(fields, "request refused");
  else logger.error({ ...fields, err: error }, "request failed");
}

/** Logs a response that the contract does not declare like this. */
export function logResponseProblem(logger: Logger, problem: ResponseProblem, request: IncomingMessage): void {
  logger.error({ requestId: requestId(request), ...problem }, "response is not as declared");
}
