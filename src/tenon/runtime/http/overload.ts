import type { IncomingMessage } from "node:http";

/** Longest silence between two calls of `onRefused`, in milliseconds. */
const TELL_INTERVAL = 1_000;

/** One long turn is no overload: the garbage collector did its work, or much was asked for the first time. */
const PATIENCE = 3;

export interface OverloadOptions {
  /**
   * How long the event loop may be at the requests that gathered while it was at others, in milliseconds; what is left then
   * is refused. After a turn that took less, the next may take three times as long. What is not refused waits about twice
   * as long at most.
   */
  readonly maxEventLoopDelay: number;
  /** Requests that are never refused, those for the process's health for example. Asked only while others are. */
  readonly isExempt?: (request: IncomingMessage) => boolean;
  /** Called with how many requests were refused since it was called last, at most once a second. */
  readonly onRefused?: (requests: number) => void;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Whether a request is to be refused; to be asked once for each, when it arrives. */
export type IsOverload = (request: IncomingMessage) => boolean;

/**
 * When more requests arrive than can be answered, they gather while the event loop is at those before, and each of its
 * turns is longer than the last. How long it has been at the requests of a turn is known at each of them, and not only when
 * the turn is over, as it is to a timer.
 */
export function createOverloadCheck({
  maxEventLoopDelay,
  isExempt,
  onRefused,
  now = () => performance.now(),
}: OverloadOptions): IsOverload {
  let turnStart: number | undefined;
  let limit = PATIENCE * maxEventLoopDelay;
  let refused = 0;

  const endTurn = (): void => {
    const delay = now() - (turnStart ?? 0);
    limit = delay > maxEventLoopDelay ? maxEventLoopDelay : PATIENCE * maxEventLoopDelay;
    turnStart = undefined;
  };
  const tell = (): void => {
    onRefused?.(refused);
    refused = 0;
  };

  return (request) => {
    if (turnStart === undefined) {
      turnStart = now();
      // Called when all connections that were ready have been read from.
      setImmediate(endTurn);
      return false;
    }
    if (now() - turnStart <= limit || isExempt?.(request) === true) return false;
    if (refused === 0) setTimeout(tell, TELL_INTERVAL).unref();
    refused += 1;
    return true;
  };
}
