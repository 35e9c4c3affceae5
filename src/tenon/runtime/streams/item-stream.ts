import type { ServerResponse } from "node:http";
import { unavailable } from "../errors/http-error.js";
import { closeAtOnce, closeIncomplete } from "../http/send-stream.js";
import { type OpenStream, registerStream } from "./open-streams.js";
import { StreamOutput } from "./stream-output.js";
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

/** Sends items, no faster than the client reads them, and ends the iteration with the stream. */
export class ItemStream implements ObservedStream, OpenStream {
  items = 0;
  end: StreamEnd | undefined;
  readonly resumes: boolean;
  readonly #response: ServerResponse;
  readonly #written: WrittenItems;
  readonly #output: StreamOutput;
  readonly #start = performance.now();
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #endTime: number | undefined;
  #leaving: AbortController | undefined;
  #iterator: ItemIterator | undefined;
  #unregister: () => void = () => undefined;
  /** How the stream ends once the connection is closed; from then on no item is sent. */
  #ending: { readonly end: StreamEnd; readonly error?: unknown } | undefined;

  /** @param setHead Sets status and headers; called when there is something to send. */
  constructor(response: ServerResponse, written: WrittenItems, setHead: () => void) {
    this.#response = response;
    this.#written = written;
    this.#output = new StreamOutput(response, {
      format: written.format,
      setHead,
      onError: (error) => {
        this.#fail(error);
      },
    });
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
      this.#output.open();
      response.end();
      this.#finish(response.destroyed ? "left" : "complete");
      return;
    }
    response.once("close", this.#onClose);
    this.#output.start();
    try {
      this.#iterator = iterate(source, () => (this.#leaving = new AbortController()).signal);
      this.#unregister = registerStream(response.req.socket, this);
      void this.#sendItems(this.#iterator);
    } catch (error) {
      this.#fail(error);
    }
  }

  announce(retry: number): void {
    if (this.#written.format === "events" && this.#ending === undefined)
      this.#output.add(`retry: ${retry}\n\n`);
    this.#output.flush();
  }

  stop(isAtOnce = false): void {
    if (this.#ending === undefined) this.#break({ end: "stopped", error: undefined });
    if (isAtOnce && this.#output.isOpen) closeAtOnce(this.#response.req.socket, this.#response);
  }

  async #sendItems(iterator: ItemIterator): Promise<void> {
    const output = this.#output;
    try {
      while (!this.#isEnding()) {
        let next: IteratorResult<unknown>;
        try {
          const promised = iterator.next();
          next = "then" in promised ? await promised : promised;
        } catch (error) {
          // An iterator that throws has ended, as in `for await`.
          this.#iterator = undefined;
          throw error;
        }
        if (this.#isEnding()) return;
        if (next.done === true) {
          this.#iterator = undefined;
          this.#complete();
          return;
        }
        const text = this.#written.write(next.value, this.items);
        output.open();
        output.add(text);
        this.items += 1;
        if (output.isBatch || output.isBlocked) await output.pause();
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #isEnding(): boolean {
    return this.#ending !== undefined;
  }

  #complete(): void {
    this.#output.open();
    this.#ending = { end: "complete" };
    this.#response.once("finish", this.#onClose);
    this.#output.end(this.#written.end(this.items));
  }

  #fail(error: unknown): void {
    if (this.#ending === undefined) this.#break({ end: "failed", error });
  }

  /** Ends the iteration, and closes the connection. */
  #break(ending: { readonly end: StreamEnd; readonly error: unknown }): void {
    this.#ending = ending;
    this.#endIteration();
    if (!this.#output.isOpen) {
      const { end, error = unavailable() } = ending;
      this.#finish(end, error);
      return;
    }
    this.#output.flush();
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
    this.#output.stop();
    this.#unregister();
    this.#response.off("close", this.#onClose);
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }
}
