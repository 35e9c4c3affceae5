import { findItemFormat } from "../core/http/item-format.js";
import { ItemParser } from "../core/http/item-parser.js";
import type { EventKind } from "./contract.js";
import { readChunks, type Reading } from "./read-chunks.js";

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
