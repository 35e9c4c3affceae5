import type { ErrorRequestHandler, Request, Response } from "express";
import { createErrorContent, type ErrorContentOptions, toProblem } from "./error-content.js";
import { createReport, type FailureOptions } from "./failure.js";
import { HTTP_ERRORS, HttpError, type HttpErrorCode, type Phase } from "./http-error.js";
import type { Operation } from "../../core/model/index.js";
import { describeOperation } from "../contract/operation.js";
import { findResponse } from "../../core/http/status.js";
import { Reply } from "../response/reply.js";
import { respond, type ResponseParts } from "../response/respond.js";

/**
 * Options of errors: their body, their media type, their mapping and their log. The generated `server.ts` has a narrower
 * `ErrorOptions`, whose body is the contract's.
 * @example
 * const errors: ErrorOptions = {
 *   errorBody: ({ code, message, status }) => ({ code, message, status }),
 *   onFailure: ({ problem, error }) => {
 *     if (problem.status >= 500) console.error(problem.code, error);
 *   },
 * };
 * app.use(createErrorHandler(errors));
 */
export interface ErrorOptions extends ErrorContentOptions, FailureOptions {}

/** A failed request. */
export interface FailedCall {
  readonly request: Request;
  readonly response: Response;
  readonly phase: Phase;
  readonly operation?: Operation | undefined;
  /**
   * Compares a response with what the operation declares.
   * @throws {Error} when it is not as declared and must not be sent.
   */
  readonly guard?: (reply: Reply<string>) => Reply<string>;
}

export type SendError = (error: unknown, call: FailedCall) => void;

/** Creates the function that turns every thrown error into a response. It never throws. */
export function createErrorSender(options: ErrorOptions): SendError {
  const toContent = createErrorContent(options);
  const report = createReport(options.onFailure);

  /** Creates the response to an error of the service's own, which the operation must declare. */
  const toDeclared = (error: HttpError, { operation, guard }: FailedCall): ResponseParts | undefined => {
    if (!error.isOwn || operation === undefined || guard === undefined) return undefined;
    const { status, headers } = error;
    if (findResponse(operation.responses, status) === undefined)
      throw new Error(`"${operation.id}" does not declare ${status}, the status of an HttpError`, {
        cause: error,
      });
    return guard(new Reply(operation.id, status, toContent(toProblem(error), operation), headers));
  };

  const send: SendError = (thrown, call) => {
    const { request, response, phase, operation } = call;
    let error = thrown;
    let known =
      error instanceof HttpError
        ? error
        : (options.toHttpError?.(error, phase) ?? fromStatus(error) ?? new HttpError("internal_error"));
    let declared: ResponseParts | undefined;
    try {
      declared = toDeclared(known, call);
    } catch (undeclared) {
      error = undeclared;
      known = new HttpError("internal_error");
    }
    const problem = toProblem(known);
    report({ problem, phase, error, operation: operation && describeOperation(operation) }, request);
    if (problem.violations !== undefined) response.locals["violations"] = problem.violations;
    if (response.headersSent) {
      // Part of the response is already sent: only closing the connection shows the client that it is incomplete.
      if (!response.writableEnded) response.destroy();
      return;
    }
    const { status, headers } = known;
    respond(response, declared ?? { status, headers, content: toContent(problem, operation) });
  };

  return (error, call) => {
    try {
      send(error, call);
    } catch (failure) {
      // An option failed, or the error has an invalid header.
      sendLast(failure, call);
    }
  };

  function sendLast(error: unknown, { request, response, phase, operation }: FailedCall): void {
    const problem = toProblem(new HttpError("internal_error"));
    report({ problem, phase, error, operation: operation && describeOperation(operation) }, request);
    const { status } = problem;
    try {
      respond(response, { status, headers: {}, content: toContent(problem, operation) });
    } catch {
      respond(response, { status, headers: {}, content: undefined });
    }
  }
}

/**
 * Creates the error handler of an Express app. Mount it last: errors of other middleware and unknown paths then get the same
 * error body as the contract's operations.
 * @example
 * app.use(createApi({ ...errors, handlers, authenticators }));
 * app.use(() => {
 *   throw new HttpError("not_found");
 * });
 * app.use(createErrorHandler(errors));
 */
export function createErrorHandler(options: ErrorOptions): ErrorRequestHandler {
  const sendError = createErrorSender(options);
  // Express recognizes an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (error, request, response, _next) => {
    sendError(error, { request, response, phase: "http" });
  };
}

/** Converts an error of middleware that has `status` and `expose` (http-errors). Its text is replaced by ours. */
function fromStatus(error: unknown): HttpError | undefined {
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  if (expose !== true) return undefined;
  const code = (Object.keys(HTTP_ERRORS) as HttpErrorCode[]).find(
    (key) => HTTP_ERRORS[key].status === status,
  );
  return code === undefined ? undefined : new HttpError(code, { cause: error });
}
