import type { ErrorRequestHandler, Request, Response } from "express";
import { HTTP_ERRORS, HttpError, type HttpErrorCode, type Phase } from "./http-error.js";
import { respond } from "./respond.js";

/** What an error answer tells, before the service puts it into its contract's error body. */
export interface Problem {
  readonly code: HttpErrorCode;
  readonly message: string;
  /** The HTTP status code. */
  readonly status: number;
}

/** A failed request, for the log. `error` is what was thrown and never reaches the caller. */
export interface Failure {
  readonly problem: Problem;
  readonly phase: Phase;
  readonly error: unknown;
  readonly operationId: string | undefined;
}

export interface ErrorOptions {
  /** Turns a problem into the contract's error body. */
  readonly errorBody: (problem: Problem) => unknown;
  /** Default: `application/json`. */
  readonly errorMediaType?: string;
  /**
   * Recognises the service's own failures, such as a database that is away: return the error that they are to become.
   * Anything else that is thrown is a 500 with fixed text.
   */
  readonly toHttpError?: (error: unknown, phase: Phase) => HttpError | undefined;
  /** Called for each failed request, before it is answered. */
  readonly onFailure?: (failure: Failure, request: Request) => void;
}

export type AnswerError = (
  error: unknown,
  at: { request: Request; response: Response; phase: Phase; operationId?: string | undefined },
) => void;

/** The one place where something thrown becomes an answer. */
export function createErrorAnswer(options: ErrorOptions): AnswerError {
  const mediaType = options.errorMediaType ?? "application/json";
  return (error, { request, response, phase, operationId }) => {
    const known =
      error instanceof HttpError ? error : (options.toHttpError?.(error, phase) ?? fromStatus(error));
    const { code, message, status, headers } = known ?? new HttpError("internal_error");
    const problem: Problem = { code, message, status };
    options.onFailure?.({ problem, phase, error, operationId }, request);
    if (response.headersSent) {
      // Half an answer is on the wire: cutting the connection is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    respond(response, {
      status,
      headers,
      content: { mediaType, kind: "json", body: options.errorBody(problem) },
    });
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
