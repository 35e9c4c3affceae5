import type { ErrorRequestHandler, Request, Response } from "express";
import { createErrorContent, type ErrorContentOptions, type Problem } from "./error-content.js";
import { type FailureOptions, logFailure } from "./failure.js";
import { HTTP_ERRORS, HttpError, type HttpErrorCode, type Phase } from "./http-error.js";
import type { OperationDescriptor } from "../operation.js";
import { respond } from "../response/respond.js";

export interface ErrorOptions extends ErrorContentOptions, FailureOptions {}

export type AnswerError = (
  error: unknown,
  at: { request: Request; response: Response; phase: Phase; operation?: OperationDescriptor | undefined },
) => void;

/** The one place where something thrown becomes an answer. */
export function createErrorAnswer(options: ErrorOptions): AnswerError {
  const toContent = createErrorContent(options);
  const onFailure = options.onFailure ?? logFailure;
  return (error, { request, response, phase, operation }) => {
    const known =
      error instanceof HttpError ? error : (options.toHttpError?.(error, phase) ?? fromStatus(error));
    const { code, message, status, headers, violations } = known ?? new HttpError("internal_error");
    const problem: Problem = { code, message, status, ...(violations.length > 0 && { violations }) };
    onFailure({ problem, phase, error, operation }, request);
    if (response.headersSent) {
      // Half an answer is on the wire: cutting the connection is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    respond(response, { status, headers, content: toContent(problem, operation) });
  };
}

/**
 * The error handler for the rest of an Express app, to be used last: other middleware's errors and unknown paths get the
 * same error body as the contract's operations.
 */
export function createErrorHandler(options: ErrorOptions): ErrorRequestHandler {
  const answerError = createErrorAnswer(options);
  // Express knows an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (error, request, response, _next) => {
    answerError(error, { request, response, phase: "http" });
  };
}

/** Middleware tells refusals of the caller by `status` and `expose` (http-errors); the texts are ours all the same. */
function fromStatus(error: unknown): HttpError | undefined {
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  if (expose !== true) return undefined;
  const code = (Object.keys(HTTP_ERRORS) as HttpErrorCode[]).find(
    (key) => HTTP_ERRORS[key].status === status,
  );
  return code === undefined ? undefined : new HttpError(code, { cause: error });
}
