import { findItemFormat } from "../../core/http/item-format.js";
import { ItemParser } from "../../core/http/item-parser.js";
import type { EventKind } from "../contract.js";

/**
 * A stream of items or bytes ended before its end, or has an item that cannot be read. The items before it are valid.
 * @example
 * async function print(texts: AsyncIterable<string>): Promise<void> {
 *   try {
 *     for await (const text of texts) console.log(text);
 *   } catch (error) {
 *     if (error instanceof BrokenStreamError) console.error(error.count, error.message);
 *     else throw error;
 *   }
 * }
 */
export class BrokenStreamError extends Error {
  override readonly name = "BrokenStreamError";
  readonly operationId: string;

  constructor(
    /** Number of items or bytes that were read. */
    readonly count: number,
    /** The response, whose body is read in part. The last one, if the client has connected again. */
    readonly response: Response,
    why: string,
    { operationId, unit = "items", ...options }: BrokenStreamOptions,
  ) {
    super(`The stream of ${operationId} broke after ${count} ${unit}: ${why}`, options);
    this.operationId = operationId;
  }
}

interface BrokenStreamOptions extends ErrorOptions {
  readonly operationId: string;
  /** Default: `items`. */
  readonly unit?: "items" | "bytes";
}

/** The connection ended before the body did. */
export class ConnectionLostError extends Error {
  override readonly message = "the connection was closed";
}

/** Ends a body that nothing reads. The end of a body that a hook has cloned waits for the clone, so that nothing waits for it here. */
export function discard({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}

/** Tests for a body that is read piece by piece: items or bytes. */
export function isStream(data: unknown): boolean {
  if (data instanceof ReadableStream) return true;
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}

/** The items of one response. */
export class ItemReader {
  readonly #parser: ItemParser;

  constructor(
    readonly response: Response,
    kinds: readonly EventKind[],
  ) {
    const format = findItemFormat(response.headers.get("Content-Type") ?? "") ?? "lines";
    this.#parser = new ItemParser(format, kinds);
  }

  /** The ID of the last event and the last `retry`. */
  get events(): Pick<ItemParser["events"], "lastId" | "retry"> {
    return this.#parser.events;
  }

  /**
   * Reads the items one by one. Leaving the loop closes the connection.
   * @throws {ConnectionLostError}
   * @throws {Error} for an item that is not JSON or too large, and when the signal is aborted.
   */
  async *read(reading: Reading): AsyncGenerator<unknown, void> {
    for await (const part of readParts(this.response, this.#parser.separator, reading)) {
      const item = this.#parser.read(part);
      if (item === undefined && this.#parser.events.size > reading.maxBody) throw toTooLarge(reading);
      if (item !== undefined) yield item;
    }
  }
}

async function* readParts(
  { body }: Response,
  separator: string,
  reading: Reading,
): AsyncGenerator<string, void> {
  if (body === null) return;
  const chunks = readChunks(body, reading.signal);
  const decoder = new TextDecoder();
  let rest = "";
  let isHalf = false;
  try {
    for (;;) {
      const chunk = await chunks.next().catch((cause: unknown) => {
        reading.signal?.throwIfAborted();
        throw new ConnectionLostError(undefined, { cause });
      });
      if (chunk.done === true) break;
      const text: string = (isHalf ? "\r" : "") + decoder.decode(chunk.value, { stream: true });
      // A carriage return at the end may be the first half of a line break.
      isHalf = separator === "\n" && text.endsWith("\r");
      const lines = isHalf ? text.slice(0, -1) : text;
      const [first = "", ...others] = (separator === "\n" ? lines.replace(/\r\n?/g, "\n") : lines).split(
        separator,
      );
      // Only new text is searched: a long item may arrive in many chunks.
      rest += first;
      if (rest.length > reading.maxBody) throw toTooLarge(reading);
      const last = others.pop();
      if (last === undefined) continue;
      yield rest;
      yield* others;
      rest = last;
    }
    // An event without its blank line is incomplete; a last line of JSON is not.
    rest += decoder.decode();
    if (rest !== "" || isHalf) yield rest;
  } finally {
    await chunks.return();
  }
}

function toTooLarge({ maxBody }: Reading): Error {
  return new Error(
    `an item has more than ${maxBody} characters; the client's option \`maxBody\` sets the limit`,
  );
}

/** How the body of a response is read. */
export interface Reading {
  /** Ends reading when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** Bytes of a body that is read as a whole, and characters of an item. */
  readonly maxBody: number;
}

/**
 * Rejects when the signal is aborted, whatever becomes of the promise. Node forgets the signal of a request that it has collected as
 * garbage, so that `fetch` and the body do not end.
 * @see https://github.com/nodejs/undici/issues/4068
 */
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const settle = (): void => {
      signal.removeEventListener("abort", abort);
    };
    promise.then(resolve, reject).finally(settle);
  });
}

/** Reads a body. Leaving the loop closes the connection. */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  let isEnded = false;
  try {
    for (;;) {
      const { value } = await orAborted(reader.read(), signal);
      isEnded = value === undefined;
      if (value === undefined) return;
      yield value;
    }
  } finally {
    if (!isEnded) void reader.cancel().catch(() => undefined);
  }
}

/**
 * Reads a body as text.
 * @returns the text, and whether it is whole: what is beyond the limit is not read.
 */
export async function readText(
  response: Response,
  { signal, maxBody }: Reading,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  // Some platforms only have text.
  if (!response.body) return { text: await orAborted(response.text(), signal), isWhole: true };
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBody;
  for await (const chunk of readChunks(response.body, signal)) {
    const isLast = chunk.byteLength > left;
    text += decoder.decode(isLast ? chunk.subarray(0, left) : chunk, { stream: true });
    if (isLast) return { text, isWhole: false };
    left -= chunk.byteLength;
  }
  return { text: text + decoder.decode(), isWhole: true };
}

/**
 * Reads a body as bytes.
 * @returns undefined if it has more bytes than the limit.
 */
export async function readBlob(
  body: ReadableStream<Uint8Array>,
  type: string,
  { signal, maxBody }: Reading,
): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of readChunks(body, signal)) {
    size += chunk.byteLength;
    if (size > maxBody) return undefined;
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks, { type });
}
