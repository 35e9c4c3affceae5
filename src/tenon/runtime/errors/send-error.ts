import type { ErrorRequestHandler, Request, Response } from "express";
import { createErrorContent, type ErrorContentOptions, type Problem } from "./error-content.js";
import { type FailureOptions, logFailure } from "./failure.js";
import { HTTP_ERRORS, HttpError, type HttpErrorCode, type Phase } from "./http-error.js";
import type { Operation } from "../../core/model/index.js";
import { describeOperation } from "../contract/operation.js";
import { respond } from "../response/respond.js";

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

export type SendError = (
  error: unknown,
  at: { request: Request; response: Response; phase: Phase; operation?: Operation | undefined },
) => void;

/** Creates the function that turns every thrown error into a response. */
export function createErrorSender(options: ErrorOptions): SendError {
  const toContent = createErrorContent(options);
  const onFailure = options.onFailure ?? logFailure;
  return (error, { request, response, phase, operation }) => {
    const known =
      error instanceof HttpError ? error : (options.toHttpError?.(error, phase) ?? fromStatus(error));
    const { code, message, status, headers, violations } = known ?? new HttpError("internal_error");
    const problem: Problem = { code, message, status, ...(violations.length > 0 && { violations }) };
    onFailure({ problem, phase, error, operation: operation && describeOperation(operation) }, request);
    if (response.headersSent) {
      // Part of the response is already sent: only closing the connection shows the client that it is incomplete.
      response.destroy();
      return;
    }
    respond(response, { status, headers, content: toContent(problem, operation) });
  };
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
