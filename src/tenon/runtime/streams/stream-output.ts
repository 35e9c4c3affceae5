import type { ServerResponse } from "node:http";
import { nextTick } from "node:process";
import type { WrittenItems } from "../response/items.js";

/** Time until the head is sent without an item, and the client sees that the stream is open, in milliseconds. */
const OPEN_AFTER = 1_000;

/**
 * Interval between two checks for silent event streams, in milliseconds. A comment then keeps proxies from closing the connection:
 * after 15 s of silence at the latest.
 */
const BEAT = 7_500;
const COMMENT = ":\n\n";

/** Number of characters from which items are written at once, and other requests get their turn. */
const BATCH = 16_384;

/** Middleware that compresses adds this method. */
type Flushable = ServerResponse & { readonly flush?: () => void };

export interface StreamOutputOptions {
  readonly format: WrittenItems["format"];
  /** Sets status and headers; called when there is something to send. */
  readonly setHead: () => void;
  readonly onError: (error: unknown) => void;
}

/** Writes texts to a response. Those of the same turn of the event loop, and those that wait for the client, are written together. */
export class StreamOutput {
  /** The head is sent. */
  isOpen = false;
  /** The client has to read first. */
  isBlocked = false;
  readonly #response: Flushable;
  readonly #options: StreamOutputOptions;
  /** The bytes of parts are one character each. */
  readonly #isBinary: boolean;
  /** Texts that wait for the end of the turn, or for the client. */
  #text = "";
  /** Something was written since the last beat. */
  #isAlive = false;
  /** The end of the turn is awaited. */
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: StreamOutputOptions) {
    this.#response = response;
    this.#options = options;
    this.#isBinary = options.format === "parts";
  }

  /** Sends the head soon, even if there is nothing to send. */
  start(): void {
    this.#timer = setTimeout(this.#beat, OPEN_AFTER);
  }

  /** Enough to be written at once. */
  get isBatch(): boolean {
    return this.#text.length >= BATCH;
  }

  /** Adds a text, which is written at the end of the turn. */
  add(text: string): void {
    this.#text += text;
    if (this.#isScheduled || this.isBlocked) return;
    this.#isScheduled = true;
    nextTick(this.flush);
  }

  /** Sends the head. */
  open(): void {
    if (this.isOpen) return;
    this.#options.setHead();
    // The number of bytes is unknown; the client would take what is too much for the next response.
    this.#response.removeHeader("Content-Length");
    this.isOpen = true;
    clearTimeout(this.#timer);
    if (this.#options.format === "events") this.#timer = setInterval(this.#beat, BEAT);
  }

  /** Writes what waits, unless the client has to read first, or the head has to wait for an item. */
  readonly flush = (): void => {
    this.#isScheduled = false;
    const response = this.#response;
    if (this.#text === "" || !this.isOpen || this.isBlocked || response.writableEnded || response.destroyed)
      return;
    const text = this.#text;
    this.#text = "";
    this.#isAlive = true;
    // Node does the same at the end of the turn, which has come.
    const { socket } = response;
    socket?.cork();
    const isFree = response.write(text, this.#toEncoding(text));
    socket?.uncork();
    if (!isFree) {
      this.isBlocked = true;
      response.once("drain", this.#onDrain);
    }
    response.flush?.();
  };

  /** Writes what waits, and lets other requests get their turn, until the client has read. */
  async pause(): Promise<void> {
    this.flush();
    do {
      if (this.isBlocked) await new Promise((resolve) => this.#response.once("drain", resolve));
      await new Promise(setImmediate);
    } while (this.isBlocked);
  }

  /** Writes the last text, and ends the response. */
  end(text: string): void {
    const last = this.#text + text;
    this.#text = "";
    this.#response.end(last, this.#toEncoding(last));
  }

  /** ASCII is the same bytes in both encodings, and Node.js copies it faster as Latin-1. */
  #toEncoding(text: string): "latin1" | "utf8" {
    return this.#isBinary || Buffer.byteLength(text) === text.length ? "latin1" : "utf8";
  }

  /** Ends the comments. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #onDrain = (): void => {
    this.isBlocked = false;
    this.flush();
  };

  readonly #beat = (): void => {
    const wasAlive = this.#isAlive;
    this.#isAlive = false;
    if (wasAlive) return;
    try {
      this.open();
      if (this.#options.format === "events") this.#text ||= COMMENT;
      else this.#response.flushHeaders();
      this.flush();
    } catch (error) {
      this.#options.onError(error);
    }
  };
}
