import { EventParser, hasJsonData } from "../core/http/event-stream.js";
import { findItemFormat } from "../core/http/item-format.js";
import { parseExactJson } from "../core/json/parse-exact-json.js";
import type { EventKind } from "./contract.js";

/**
 * A stream of items ended before its end, or has an item that cannot be read. The items before it are valid.
 * @example
 * try {
 *   for await (const change of changes) apply(change);
 * } catch (error) {
 *   if (error instanceof BrokenStreamError) console.error(error.count, error.message);
 *   else throw error;
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
  const format = findItemFormat(response.headers.get("Content-Type") ?? "");
  let count = 0;
  const fail = (why: string, cause?: unknown) => new BrokenStreamError(count, response, why, { cause });
  const parse = (text: string): unknown => {
    try {
      return parseExactJson(text);
    } catch (error) {
      throw fail((error as Error).message, error);
    }
  };
  const events = new EventParser();
  const toItem = (line: string): unknown => {
    if (format !== "events") return line === "" ? undefined : parse(line);
    const event = events.read(line);
    if (event === undefined || !hasJsonData(kinds, event.event, event.data)) return event;
    return { ...event, ...(event.data !== undefined && { data: parse(event.data) }) };
  };
  for await (const line of readLines(response, format === "records" ? "\u001E" : "\n", fail)) {
    const item = toItem(format === "records" ? line.trim() : line);
    if (item === undefined) continue;
    yield item;
    count += 1;
  }
}

async function* readLines(
  { body }: Response,
  separator: string,
  fail: (why: string, cause?: unknown) => Error,
): AsyncGenerator<string, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: false })).getReader();
  let rest = "";
  let isEnded = false;
  try {
    for (;;) {
      const chunk = await reader.read().catch((error: unknown) => {
        if ((error as Error).name === "AbortError") throw error;
        throw fail("the connection was closed", error);
      });
      isEnded = chunk.done;
      if (chunk.done) break;
      const text = rest + chunk.value;
      // A carriage return at the end may be the first half of a line break.
      const lines = (separator === "\n" ? text.replace(/\r(?=[^\n])/g, "\n") : text).split(separator);
      rest = lines.pop() ?? "";
      for (const line of lines) yield separator === "\n" ? line.replace(/\r$/, "") : line;
    }
    // An event without its blank line is incomplete; a last line of JSON is not.
    if (rest !== "") yield rest;
  } finally {
    if (!isEnded) await reader.cancel().catch(() => undefined);
  }
}
