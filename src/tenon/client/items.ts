import { findItemFormat } from "../core/http/item-format.js";
import { ItemParser } from "../core/http/item-parser.js";
import type { EventKind } from "./contract.js";

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

  constructor(
    /** Number of items or bytes that were read. */
    readonly count: number,
    /** The response, whose body is read in part. The last one, if the client has connected again. */
    readonly response: Response,
    why: string,
    { unit = "items", ...options }: ErrorOptions & { readonly unit?: "items" | "bytes" } = {},
  ) {
    super(`The stream broke after ${count} ${unit}: ${why}`, options);
  }
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
   * @throws {Error} for an item that is not JSON, and when the signal is aborted.
   */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<unknown, void> {
    for await (const part of readParts(this.response, this.#parser.separator, signal)) {
      const item = this.#parser.read(part);
      if (item !== undefined) yield item;
    }
  }
}

async function* readParts(
  { body }: Response,
  separator: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: false })).getReader();
  let rest = "";
  let isHalf = false;
  let isEnded = false;
  try {
    for (;;) {
      const chunk = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new ConnectionLostError(undefined, { cause });
      });
      isEnded = chunk.done;
      if (chunk.done) break;
      const text: string = (isHalf ? "\r" : "") + chunk.value;
      // A carriage return at the end may be the first half of a line break.
      isHalf = separator === "\n" && text.endsWith("\r");
      const lines = isHalf ? text.slice(0, -1) : text;
      const [first = "", ...others] = (separator === "\n" ? lines.replace(/\r\n?/g, "\n") : lines).split(
        separator,
      );
      // Only new text is searched: a long item may arrive in many chunks.
      rest += first;
      const last = others.pop();
      if (last === undefined) continue;
      yield rest;
      yield* others;
      rest = last;
    }
    // An event without its blank line is incomplete; a last line of JSON is not.
    if (rest !== "" || isHalf) yield rest;
  } finally {
    if (!isEnded) await reader.cancel().catch(() => undefined);
  }
}
