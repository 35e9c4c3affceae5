import type { IncomingMessage } from "node:http";

/** Interval between two calls of `onRefused`, in milliseconds. */
const REPORT_INTERVAL = 1_000;

/** A single long turn is not an overload: its cause may be garbage collection, or code that runs for the first time. */
const PATIENCE = 3;

/**
 * Options of the overload check. Requests are refused with 503 and `Retry-After` while the event loop is delayed, or too many bytes of
 * responses wait in memory.
 * @example
 * const overload: OverloadOptions = {
 *   maxEventLoopDelay: 100,
 *   isExempt: ({ url }) => url === "/health",
 *   onRefused: (requests) => {
 *     console.warn(`Overloaded: refused ${requests} requests`);
 *   },
 * };
 * createHttpServer(app, { ...errors, overload }).listen(8080);
 */
export interface OverloadOptions {
  /**
   * Time that one turn of the event loop may spend on the requests that queued up during the turn before, in milliseconds. The
   * rest of the queue is refused. After a turn within the limit, the next one may take three times as long. Requests that are not
   * refused wait at most about twice the limit.
   */
  readonly maxEventLoopDelay: number;
  /**
   * Maximum number of bytes of responses that wait in memory because their clients do not read them. Beyond it, a client that
   * reads nothing for a second loses its connection, and responses of GET operations that are ready become 503 too. Default: 64 MiB.
   */
  readonly maxUnsentBytes?: number;
  /** Returns true for requests that are never refused, such as health checks. Called only during an overload. */
  readonly isExempt?: (request: IncomingMessage) => boolean;
  /** Called with the number of requests that were refused since the last call, at most once a second. */
  readonly onRefused?: (requests: number) => void;
  /** A monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Returns true when a request is to be refused. Call it once per request, when it arrives. */
export type IsOverload = (request: IncomingMessage) => boolean;

/**
 * Creates a check for overload. When more requests arrive than the process can handle, they queue up while the event loop handles
 * the ones before, and each turn takes longer than the last. The check measures the turn at each request; a timer would only
 * measure it after its end.
 * @param isCongested Tests whether too many bytes of the server's responses wait.
 */
export function createOverloadCheck(
  { maxEventLoopDelay, isExempt, onRefused, now = () => performance.now() }: OverloadOptions,
  isCongested: () => boolean,
): IsOverload {
  let turnStart: number | undefined;
  let limit = PATIENCE * maxEventLoopDelay;
  let refused = 0;

  const endTurn = (): void => {
    const delay = now() - (turnStart ?? 0);
    limit = delay > maxEventLoopDelay ? maxEventLoopDelay : PATIENCE * maxEventLoopDelay;
    turnStart = undefined;
  };
  const reportRefused = (): void => {
    onRefused?.(refused);
    refused = 0;
  };

  const isLate = (): boolean => {
    if (turnStart === undefined) {
      turnStart = now();
      // Called when all connections that were ready have been read from.
      setImmediate(endTurn);
      return false;
    }
    return now() - turnStart > limit;
  };

  return (request) => {
    if ((!isLate() && !isCongested()) || isExempt?.(request) === true) return false;
    if (refused === 0) setTimeout(reportRefused, REPORT_INTERVAL).unref();
    refused += 1;
    return true;
  };
}
