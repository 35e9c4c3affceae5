import type { IncomingMessage } from "node:http";
import type { Problem } from "./error-content.js";
import { HttpError, type Phase } from "./http-error.js";
import type { OperationDescriptor } from "../operation.js";

/** A failed request, for the log. `error` is what was thrown and never reaches the caller. */
export interface Failure {
  readonly problem: Problem;
  readonly phase: Phase;
  readonly error: unknown;
  /** Undefined where the request has none, an unknown path for example. */
  readonly operation: OperationDescriptor | undefined;
}

export interface FailureOptions {
  /**
   * Recognises the service's own failures, such as a database that is away: return the error that they are to become.
   * Anything else that is thrown is a 500 with fixed text.
   */
  readonly toHttpError?: (error: unknown, phase: Phase) => HttpError | undefined;
  /**
   * Called for each failed request, before it is answered; the request is undefined where it is not even HTTP.
   * Default: what is the service's own fault, a status from 500 on, goes to `console.error`.
   */
  readonly onFailure?: (failure: Failure, request: IncomingMessage | undefined) => void;
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
