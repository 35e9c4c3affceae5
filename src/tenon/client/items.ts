import { findItemFormat } from "../core/http/item-format.js";
import { ItemParser } from "../core/http/item-parser.js";
import type { EventKind } from "./contract.js";

/**
 * A stream of items ended before its end, or has an item that cannot be read. The items before it are valid.
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
    /** Number of items that were read. */
    readonly count: number,
    /** The response, whose body is read in part. */
    readonly response: Response,
    why: string,
    options?: ErrorOptions,
  ) {
    super(`The stream broke after ${count} items: ${why}`, options);
  }
}

/** Reads the items of a response one by one. Leaving the loop closes the connection. */
export async function* readItems(
  response: Response,
  kinds: readonly EventKind[],
): AsyncGenerator<unknown, void> {
  const format = findItemFormat(response.headers.get("Content-Type") ?? "") ?? "lines";
  const parser = new ItemParser(format, kinds);
  let count = 0;
  const fail = (cause: unknown, why = (cause as Error).message) =>
    new BrokenStreamError(count, response, why, { cause });
  for await (const part of readParts(response, parser.separator, fail)) {
    let item: unknown;
    try {
      item = parser.read(part);
    } catch (error) {
      throw fail(error);
    }
    if (item === undefined) continue;
    yield item;
    count += 1;
  }
}

async function* readParts(
  { body }: Response,
  separator: string,
  fail: (cause: unknown, why?: string) => Error,
): AsyncGenerator<string, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: false })).getReader();
  let rest = "";
  let isHalf = false;
  let isEnded = false;
  try {
    for (;;) {
      const chunk = await reader.read().catch((error: unknown) => {
        if ((error as Error).name === "AbortError") throw error;
        throw fail(error, "the connection was closed");
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
