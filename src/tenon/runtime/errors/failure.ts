import type { IncomingMessage } from "node:http";
import type { Problem } from "./error-content.js";
import { HttpError, type Phase } from "./http-error.js";
import type { OperationDescriptor } from "../contract/operation.js";

/**
 * A failed request, for the log. `error` is the thrown value and is never sent to the caller.
 * @example
 * const onFailure = ({ problem, phase, operation, error }: Failure) => {
 *   console.error(JSON.stringify({ code: problem.code, phase, operation: operation?.id, error: String(error) }));
 * };
 * app.use(createApi({ ...errors, onFailure, handlers, authenticators }));
 */
export interface Failure {
  readonly problem: Problem;
  readonly phase: Phase;
  readonly error: unknown;
  /** Undefined when the request has no operation, for example because of an unknown path. */
  readonly operation: OperationDescriptor | undefined;
}

/**
 * Options that map and log failures.
 * @example
 * class StoreUnavailableError extends Error {}
 * const failures: FailureOptions = {
 *   toHttpError: (error) =>
 *     error instanceof StoreUnavailableError ? new HttpError("unavailable", { cause: error }) : undefined,
 *   onFailure: ({ problem, error }) => {
 *     console.error(problem.code, error);
 *   },
 * };
 * app.use(createApi({ ...errors, ...failures, handlers, authenticators }));
 */
export interface FailureOptions {
  /**
   * Maps the service's own errors, such as an unavailable database, to HTTP errors. Return undefined for any other error: it
   * becomes a 500 with a fixed text.
   */
  readonly toHttpError?: (error: unknown, phase: Phase) => HttpError | undefined;
  /**
   * Called for each failed request, before the response is sent. The request is undefined when it is not valid HTTP.
   * Default: failures with a status of 500 or above are printed with `console.error`.
   */
  readonly onFailure?: (failure: Failure, request: IncomingMessage | undefined) => void;
}

/** Creates the function that reports failures. It never throws, because a failed report must not keep a response from being sent. */
export function createReport(
  onFailure: NonNullable<FailureOptions["onFailure"]> = logFailure,
): NonNullable<FailureOptions["onFailure"]> {
  return (failure, request) => {
    try {
      onFailure(failure, request);
    } catch (error) {
      // eslint-disable-next-line no-console -- the only log that every process has
      console.error("onFailure failed:", error);
    }
  };
}

/** The default of `onFailure`. The path is the contract's, because that of the request may hold secrets. */
export function logFailure(
  { problem, error, operation }: Failure,
  request: IncomingMessage | undefined,
): void {
  if (problem.status < 500 || (error instanceof HttpError && error.isRefusal)) return;
  const method = request?.method ?? "A request";
  // eslint-disable-next-line no-console -- the only log that every process has
  console.error(
    `${method} ${operation?.path ?? "outside the contract"} failed with ${problem.status}:`,
    error,
  );
}
