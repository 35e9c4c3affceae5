import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { pino, stdTimeFunctions, type Logger } from "pino";
import { HttpError, type Failure, type ResponseProblem } from "tenon/runtime";
import type { Config } from "./config.js";
import type { ServicePrincipals } from "./handlers/pets.js";
import { redactKeys } from "./keys/key.js";
import { LogOutput } from "./log-output.js";
import { toTerminalLine } from "./terminal-line.js";

export type { Logger };

/** Maximum length of a logged path; longer ones are cut, so that a pipe does not split the line. */
const MAX_PATH = 2_048;

/** A process has one standard output, and so one buffer for it. The first line creates it: a silent log leaves the output alone. */
let output: LogOutput | undefined;

/** Creates a logger of JSON lines on standard output, or of lines for people if that is a terminal. No line contains a header, a body, a query or a key. */
export function createLogger(level: Config["logLevel"]): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: stdTimeFunctions.isoTime };
  // Here, because a key may be in any field, for example in a path or in the message of an error.
  return pino(options, {
    write: (line) => {
      const redacted = redactKeys(line);
      output ??= new LogOutput();
      output.write(process.stdout.isTTY ? toTerminalLine(redacted) : redacted);
    },
  });
}

/** Returns the number of log lines that this process could not write. */
export function countDroppedLines(): number {
  return output?.dropped ?? 0;
}

/** Returns the id of a request, for the log and the caller. {@link requestLog} sets it, before anything else in the app runs. */
export function requestId(request: IncomingMessage): string | undefined {
  return (request as Request).res?.locals["requestId"] as string | undefined;
}

/** Watches the requests that reach the app. */
export interface RequestWatch {
  /** A request has arrived. */
  arrived(): void;
  /** The response was sent, or the caller closed the connection, `durationMs` after the request arrived. */
  over(request: Request, response: Response, durationMs: number): void;
}

/** Properties of `response.locals`; the runtime sets all except `requestId`. */
interface Locals {
  requestId?: string;
  readonly operationId?: string;
  readonly auth?: Partial<ServicePrincipals>;
}

/**
 * Creates middleware that gives every request an id and logs one line at its end. A usable `X-Request-Id` of a proxy becomes
 * the id. The path is logged without its query, which may be private.
 * @param watch Called here, because another middleware with another listener per response would cost more than the calls.
 */
export function requestLog(logger: Logger, watch?: RequestWatch): RequestHandler {
  return (request, response, next) => {
    watch?.arrived();
    const start = performance.now();
    const sent = request.headers["x-request-id"];
    const id = typeof sent === "string" && isUsableId(sent) ? sent : randomUUID();
    const { locals } = response as { locals: Locals };
    locals.requestId = id;
    // In lower case, as Node keeps it: each conversion takes longer than all else that is done here.
    response.setHeader("x-request-id", id);
    const path = request.path.slice(0, MAX_PATH);
    response.on("close", () => {
      const durationMs = performance.now() - start;
      watch?.over(request, response, durationMs);
      // A caller that closed the connection did not get a complete response, whatever its status is.
      const isComplete = response.writableFinished;
      logger.info(
        {
          requestId: id,
          method: request.method,
          path,
          operationId: locals.operationId,
          keyId: locals.auth?.bearerAuth?.id,
          status: isComplete ? response.statusCode : undefined,
          aborted: isComplete ? undefined : true,
          durationMs: Math.round(durationMs * 1000) / 1000,
        },
        "request",
      );
    });
    next();
  };
}

/** Tests whether a caller's text can be an id. A key cannot, because ids are logged and sent back. */
function isUsableId(text: string): boolean {
  return /^[\w.:-]{1,128}$/.test(text) && redactKeys(text) === text;
}

/** Logs a failed request: failures of the service with their cause, errors of the caller and refusals only at debug level. */
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

/** Logs a response that violates the contract. */
export function logResponseProblem(logger: Logger, problem: ResponseProblem, request: IncomingMessage): void {
  logger.error({ requestId: requestId(request), ...problem }, "response is not as declared");
}
