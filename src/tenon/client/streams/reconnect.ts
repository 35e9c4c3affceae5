import { discard } from "./items.js";
import type { Reading } from "./items.js";

/**
 * How a client connects again when an event stream or a download breaks. For events, it sends the ID of the last one as `Last-Event-ID`, so
 * a stream whose events have no IDs is not continued; for a download, the range that is missing. Times are in milliseconds.
 * @example
 * const reconnect: ReconnectOptions = {
 *   attempts: 100,
 *   maxDelay: 60_000,
 *   onReconnect: ({ attempt, lastEventId }) => {
 *     console.warn(`Attempt ${attempt} to continue after ${lastEventId}`);
 *   },
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", reconnect });
 */
export interface ReconnectOptions {
  /** Maximum number of attempts in a row that lead to no new event or bytes. Default: 10. */
  readonly attempts?: number;
  /** Upper limit of the random delay before the first attempt; it doubles with each attempt. Default: 1,000. */
  readonly delay?: number;
  /** Upper limit of all random delays. The `retry` of the server and `Retry-After` are added to them. Default: 30,000. */
  readonly maxDelay?: number;
  /**
   * Also connects again when a stream ends in order, as `EventSource` does, unless its last event has the only `data` that the
   * contract declares, such as `[DONE]`. Default: false.
   */
  readonly atEnd?: boolean;
  /** Called before each delay. */
  readonly onReconnect?: (attempt: ReconnectAttempt) => void;
}

/**
 * An attempt to continue an event stream or a download.
 * @example
 * const onReconnect = ({ attempt, delay, cause }: ReconnectAttempt) => {
 *   console.warn(`Attempt ${attempt} in ${delay} ms`, cause);
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", reconnect: { onReconnect } });
 */
export interface ReconnectAttempt {
  /** Number of attempts since the last new event or byte, from 1 on. */
  readonly attempt: number;
  /** Milliseconds until it is made. */
  readonly delay: number;
  /** ID of the last event; empty before the first one, and for a download. */
  readonly lastEventId: string;
  /** Why the connection ended, or the attempt before failed; undefined after an end in order. */
  readonly cause: unknown;
}

/** The parts of a call that continue its stream. */
export interface Reconnection extends Reading {
  readonly operationId: string;
  /** Undefined if the client must not connect again. */
  readonly reconnect: ReconnectOptions | undefined;
  /** Sends the request again, with further headers. */
  readonly connect: (headers: Readonly<Record<string, string>>) => Promise<Response>;
}

interface Attempts {
  readonly connect: () => Promise<Response>;
  /** Tests whether a response continues the stream, or says that there is nothing more. */
  readonly accepts: (response: Response) => boolean;
  /** Creates the error to throw. */
  readonly fail: (why: string, cause?: unknown, response?: Response) => Error;
  /** Why the connection ended. */
  readonly cause: unknown;
  /** Amount of events or bytes so far. */
  readonly received: number;
  /** Wait of the server. Default: 0. */
  readonly retry?: number;
  readonly lastEventId?: string;
}

/** The service is not there for the moment. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Creates a function that connects again, after a random delay that doubles with each attempt in a row without anything new.
 * @returns the response that is accepted.
 */
export function createConnector(options: ReconnectOptions = {}, signal: AbortSignal | undefined) {
  const { attempts = 10, delay: firstDelay = 1_000, maxDelay = 30_000, onReconnect } = options;
  let failed = 0;
  let last = 0;
  return async (wanted: Attempts): Promise<Response> => {
    const { connect, accepts, fail, received, retry = 0, lastEventId = "" } = wanted;
    let { cause } = wanted;
    if (received > last) failed = 0;
    last = received;
    for (let pause = 0; ;) {
      failed += 1;
      if (failed > attempts) throw fail(`${attempts} attempts to connect again failed`, cause);
      // With the whole delay at random, clients that lost the same server do not come back at the same time.
      const delay = retry + pause + Math.random() * Math.min(maxDelay, firstDelay * 2 ** (failed - 1));
      onReconnect?.({ attempt: failed, delay, lastEventId, cause });
      await sleep(delay, signal);
      const next = await connect().catch((error: unknown) => {
        signal?.throwIfAborted();
        cause = error;
      });
      if (next === undefined) continue;
      if (accepts(next)) return next;
      discard(next);
      const found = `${next.status} ${next.headers.get("Content-Type") ?? ""}`.trim();
      cause = fail(`connecting again got ${found}`, undefined, next);
      if (!TEMPORARY.has(next.status)) throw cause as Error;
      pause = 1_000 * (Number(next.headers.get("Retry-After") ?? 0) || 0);
    }
  };
}

/** Longest time of a timer, in milliseconds: 24 days. A longer one would end at once. */
export const MAX_TIMER = 2 ** 31 - 1;

/** Waits, at most 24 days; rejects when the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", end);
        resolve();
      },
      Math.min(MAX_TIMER, milliseconds),
    );
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
