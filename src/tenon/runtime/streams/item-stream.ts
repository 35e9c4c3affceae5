import type { ServerResponse } from "node:http";
import { unavailable } from "../errors/http-error.js";
import { closeIncomplete } from "../http/send-stream.js";
import { type OpenStream, registerStream } from "./open-streams.js";
import {
  discardItems,
  endIteration,
  type ItemIterator,
  iterate,
  type WrittenItems,
} from "../response/items.js";

/**
 * How a stream of items ended. `complete`: all items were sent. `left`: the client closed the connection. `stopped`: the server was
 * closed. `failed`: an item was not as declared, or the iteration threw an error.
 * @example
 * const ends = new Map<StreamEnd, number>();
 * const streamEnded = ({ end = "failed" }: ObservedStream) => {
 *   ends.set(end, (ends.get(end) ?? 0) + 1);
 * };
 */
export type StreamEnd = "complete" | "left" | "stopped" | "failed";

/**
 * A stream of items as a `RequestObserver` sees it. Its values change until it ends.
 * @example
 * const open = new Set<ObservedStream>();
 * const countItems = () => [...open].reduce((sum, { items }) => sum + items, 0);
 */
export interface ObservedStream {
  /** Number of items that were sent. */
  readonly items: number;
  /** Milliseconds from the handler's reply until now, or until the end. */
  readonly duration: number;
  /** Undefined while the stream is open. */
  readonly end: StreamEnd | undefined;
}

/** Time until the head is sent without an item, and the client sees that the stream is open, in milliseconds. */
const OPEN_AFTER = 1_000;

/** Time between comments in an event stream without events, in milliseconds: they keep proxies from closing the connection. */
const HEARTBEAT = 15_000;
const COMMENT = ":\n\n";

/** Number of characters from which items are written at once, and other requests get their turn. */
const BATCH = 16_384;

type MaybePromise<Type> = Type | Promise<Type>;

/** Middleware that compresses adds this method. */
type Flushable = ServerResponse & { readonly flush?: () => void };

/** Writes items to a response, no faster than they are read. Items of the same turn of the event loop are written together. */
export class ItemStream implements ObservedStream, OpenStream {
  items = 0;
  end: StreamEnd | undefined;
  readonly resumes: boolean;
  readonly #response: Flushable;
  readonly #written: WrittenItems;
  readonly #setHead: () => void;
  readonly #start = performance.now();
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #endTime: number | undefined;
  #leaving: AbortController | undefined;
  #iterator: ItemIterator | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unregister: () => void = () => undefined;
  /** Items that wait for the end of the turn, or for the client. */
  #text = "";
  #isOpen = false;
  /** The next item is awaited. */
  #isPulling = false;
  /** Other requests get their turn. */
  #isPausing = false;
  /** The client has to read first. */
  #isBlocked = false;
  /** How the stream ends once the connection is closed; from then on no item is sent. */
  #ending: { readonly end: StreamEnd; readonly error?: unknown } | undefined;

  /** @param setHead Sets status and headers; called when there is something to send. */
  constructor(response: ServerResponse, written: WrittenItems, setHead: () => void) {
    this.#response = response;
    this.#written = written;
    this.#setHead = setHead;
    this.resumes = written.resumes;
  }

  get duration(): number {
    return (this.#endTime ?? performance.now()) - this.#start;
  }

  /**
   * Sends the items. A client that leaves ends the iteration without a failure.
   * @throws {Error} after a failure. When no part of the response is sent yet, an error response is still possible.
   */
  send(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#begin();
    });
  }

  #begin(): void {
    const response = this.#response;
    const { source } = this.#written;
    if (response.destroyed || response.req.method === "HEAD") {
      discardItems(source);
      this.#open();
      response.end();
      this.#finish(response.destroyed ? "left" : "complete");
      return;
    }
    response.once("close", this.#onClose);
    this.#timer = setTimeout(this.#beat, OPEN_AFTER);
    try {
      this.#iterator = iterate(source, () => (this.#leaving = new AbortController()).signal);
      this.#unregister = registerStream(response.req.socket, this);
      this.#pull();
    } catch (error) {
      this.#fail(error);
    }
  }

  announce(retry: number): void {
    if (this.#written.format === "events" && this.#ending === undefined) this.#text += `retry: ${retry}\n\n`;
    if (this.#isOpen && !this.#isBlocked) this.#flush();
  }

  stop(): void {
    if (this.#ending === undefined) this.#break({ end: "stopped", error: undefined });
  }

  readonly #pull = (): void => {
    while (this.#ending === undefined && !this.#isPulling && !this.#isPausing && !this.#isBlocked) {
      let next: MaybePromise<IteratorResult<unknown>> | undefined;
      try {
        next = this.#iterator?.next();
      } catch (error) {
        this.#fail(error);
        return;
      }
      if (next === undefined) return;
      if ("then" in next) {
        this.#isPulling = true;
        next.then(this.#onNext, this.#onError);
        return;
      }
      this.#take(next);
    }
  };

  readonly #onNext = (next: IteratorResult<unknown>): void => {
    this.#isPulling = false;
    this.#take(next);
    this.#pull();
  };

  readonly #onError = (error: unknown): void => {
    this.#iterator = undefined;
    this.#fail(error);
  };

  #take(next: IteratorResult<unknown>): void {
    if (this.#ending !== undefined) return;
    if (next.done === true) {
      this.#iterator = undefined;
      this.#complete();
      return;
    }
    try {
      const isFirst = this.#text === "";
      this.#text += this.#written.write(next.value, this.items);
      this.#open();
      this.items += 1;
      if (this.#isBlocked) return;
      if (this.#text.length >= BATCH) {
        this.#flush();
        this.#pause();
      } else if (isFirst) process.nextTick(this.#flush);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Goes on in the next turn. The same turn can ask for it twice: when a batch is written, and when the client has read it. */
  #pause(): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    setImmediate(this.#resume);
  }

  readonly #resume = (): void => {
    this.#isPausing = false;
    this.#flush();
    this.#pull();
  };

  readonly #onDrain = (): void => {
    this.#isBlocked = false;
    this.#pause();
  };

  readonly #flush = (): void => {
    if (this.#text === "" || this.#isBlocked || this.#response.writableEnded || this.#response.destroyed)
      return;
    const text = this.#text;
    this.#text = "";
    // Node does the same at the end of the turn, which has come.
    const { socket } = this.#response;
    socket?.cork();
    const isFree = this.#response.write(text);
    socket?.uncork();
    if (!isFree) {
      this.#isBlocked = true;
      this.#response.once("drain", this.#onDrain);
    }
    this.#response.flush?.();
    this.#timer?.refresh();
  };

  #open(): void {
    if (this.#isOpen) return;
    this.#setHead();
    // The number of bytes is unknown; the client would take what is too much for the next response.
    this.#response.removeHeader("Content-Length");
    this.#isOpen = true;
    clearTimeout(this.#timer);
    if (this.#written.format === "events" && this.#ending === undefined)
      this.#timer = setInterval(this.#beat, HEARTBEAT);
  }

  readonly #beat = (): void => {
    try {
      this.#open();
      if (this.#written.format === "events") this.#text ||= COMMENT;
      else this.#response.flushHeaders();
      this.#flush();
    } catch (error) {
      this.#fail(error);
    }
  };

  #complete(): void {
    try {
      this.#open();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#ending = { end: "complete" };
    const text = this.#text;
    this.#text = "";
    this.#response.once("finish", this.#onClose);
    this.#response.end(text);
  }

  #fail(error: unknown): void {
    if (this.#ending === undefined) this.#break({ end: "failed", error });
  }

  /** Ends the iteration, and closes the connection. */
  #break(ending: { readonly end: StreamEnd; readonly error: unknown }): void {
    this.#ending = ending;
    this.#endIteration();
    if (!this.#isOpen) {
      const { end, error = unavailable() } = ending;
      this.#finish(end, error);
      return;
    }
    this.#flush();
    void closeIncomplete(this.#response);
  }

  readonly #onClose = (): void => {
    const isSent = this.#response.writableFinished;
    const { end, error } = this.#ending ?? { end: "left" };
    this.#endIteration();
    this.#finish(end === "complete" && !isSent ? "left" : end, error);
  };

  #endIteration(): void {
    this.#leaving?.abort();
    if (this.#iterator !== undefined) endIteration(this.#iterator);
    this.#iterator = undefined;
  }

  #finish(end: StreamEnd, error?: unknown): void {
    if (this.end !== undefined) return;
    this.#ending ??= { end };
    this.end = end;
    this.#endTime = performance.now();
    clearTimeout(this.#timer);
    this.#unregister();
    this.#response.off("close", this.#onClose);
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }
}
