import type { EventKind } from "./contract.js";
import { BrokenStreamError, ConnectionLostError, discard, ItemReader } from "./items.js";

/**
 * How a client connects again when an event stream breaks. It sends the ID of the last event as `Last-Event-ID`, so a stream whose
 * events have no IDs is not continued. Times are in milliseconds.
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
  /** Maximum number of attempts in a row that lead to no new event. Default: 10. */
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
 * An attempt to continue an event stream.
 * @example
 * const onReconnect = ({ attempt, delay, cause }: ReconnectAttempt) => {
 *   console.warn(`Attempt ${attempt} in ${delay} ms`, cause);
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", reconnect: { onReconnect } });
 */
export interface ReconnectAttempt {
  /** Number of attempts since the last new event, from 1 on. */
  readonly attempt: number;
  /** Milliseconds until it is made. */
  readonly delay: number;
  /** ID of the last event; empty before the first one. */
  readonly lastEventId: string;
  /** Why the connection ended, or the attempt before failed; undefined after an end in order. */
  readonly cause: unknown;
}

export interface StreamCall {
  readonly kinds: readonly EventKind[];
  readonly signal: AbortSignal | undefined;
  /** Undefined if the client must not connect again. */
  readonly reconnect: ReconnectOptions | undefined;
  /** Sends the request again, with `Last-Event-ID` if there is one. */
  readonly connect: (lastEventId: string) => Promise<Response>;
}

/** The service is not there for the moment. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Number of IDs that are remembered to recognize events that a server sends again. */
const MAX_IDS = 1_000;

/**
 * Reads the items of a response one by one, and connects again when an event stream breaks. Leaving the loop closes the connection.
 * @throws {BrokenStreamError} when the stream cannot be continued without hiding that events are missing or come twice.
 */
export async function* readStream(
  first: Response,
  { kinds, signal, reconnect, connect }: StreamCall,
): AsyncGenerator<unknown, void> {
  const { attempts = 10, delay: firstDelay = 1_000, maxDelay = 30_000, atEnd = false } = reconnect ?? {};
  const ids = new Set<string>();
  let response = first;
  let count = 0;
  let failed = 0;
  let lastEventId = "";
  let retry = 0;
  const fail = (why: string, cause?: unknown) => new BrokenStreamError(count, response, why, { cause });

  for (;;) {
    const reader = new ItemReader(response, kinds);
    const known = new Set(ids);
    let isNew = false;
    let last: unknown;
    let cause: unknown;
    try {
      for await (const item of reader.read(signal)) {
        const { id } = item as { readonly id?: string };
        if (id !== undefined && id !== "" && known.has(id)) {
          if (isNew) throw fail(`the server sent the event ${JSON.stringify(id)} again`);
          continue;
        }
        remember(ids, id);
        isNew = true;
        failed = 0;
        last = item;
        yield item;
        count += 1;
      }
      if (reconnect === undefined || !atEnd || isTerminal(last, kinds)) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof BrokenStreamError) throw error;
      cause = error;
      const isLost = error instanceof ConnectionLostError;
      if (!isLost || reconnect === undefined)
        throw fail((error as Error).message, isLost ? error.cause : error);
    }
    lastEventId = reader.events.lastId ?? lastEventId;
    retry = reader.events.retry ?? retry;
    if (count > 0 && lastEventId === "")
      throw fail("the connection was closed, and its events have no IDs", cause);
    const next = await connectAgain(cause);
    if (next === undefined) return;
    response = next;
  }

  /** @returns undefined when the server says that there is nothing more. */
  async function connectAgain(given: unknown): Promise<Response | undefined> {
    let cause = given;
    for (let pause = 0; ;) {
      failed += 1;
      if (failed > attempts) throw fail(`${attempts} attempts to connect again failed`, cause);
      // With the whole delay at random, clients that lost the same server do not come back at the same time.
      const delay = retry + pause + Math.random() * Math.min(maxDelay, firstDelay * 2 ** (failed - 1));
      reconnect?.onReconnect?.({ attempt: failed, delay, lastEventId, cause });
      await sleep(delay, signal);
      const next = await connect(lastEventId).catch((error: unknown) => {
        signal?.throwIfAborted();
        cause = error;
      });
      if (next === undefined) continue;
      if (next.status === 204) return undefined;
      if (next.status === first.status && isEventStream(next)) return next;
      response = next;
      discard(next);
      cause = fail(`connecting again got ${next.status} ${next.headers.get("Content-Type") ?? ""}`.trim());
      if (!TEMPORARY.has(next.status)) throw cause as Error;
      pause = 1_000 * (Number(next.headers.get("Retry-After") ?? 0) || 0);
    }
  }
}

export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get("Content-Type") ?? "");
}

function remember(ids: Set<string>, id: string | undefined): void {
  if (id === undefined || id === "") return;
  ids.delete(id);
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MAX_IDS && oldest !== undefined) ids.delete(oldest);
}

/** Tests whether an event has the only `data` that its kind can have. */
function isTerminal(item: unknown, kinds: readonly EventKind[]): boolean {
  const { data } = (item ?? {}) as { readonly data?: unknown };
  return kinds.some(({ text }) => text !== undefined && text === data);
}

/** Waits; rejects when the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
