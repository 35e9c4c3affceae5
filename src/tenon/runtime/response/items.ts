import { setImmediate as nextTurn } from "node:timers/promises";
import { formatEvent, hasJsonData, type ServerEvent } from "../../core/http/event-stream.js";
import type { Items as DeclaredItems } from "../../core/model/index.js";

/**
 * The items of a response: an iterable, or a function that returns one, such as an `async function*`. The signal of the function is
 * aborted when the client leaves, and iteration goes on only while the client reads.
 * @example
 * const count: ItemSource<{ readonly number: number }> = async function* (signal) {
 *   for (let number = 1; !signal.aborted; number += 1) yield { number };
 * };
 */
export type ItemSource<Item> = Items<Item> | ((signal: AbortSignal) => Items<Item>);

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/**
 * Times without an event after which a comment is sent, in milliseconds: it keeps proxies from closing the connection, and the first
 * one shows the client that the stream is open.
 */
const HEARTBEATS = { first: 1_000, later: 15_000 };
const NO_HEARTBEATS = { first: Infinity, later: Infinity };
const COMMENT = ":\n\n";

/** Number of characters after which other requests get their turn: items that are ready and a client that reads would go on forever. */
const BATCH = 16_384;

/** Headers that keep proxies from holding events back. A reply's own headers take precedence. */
export const EVENT_HEADERS = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };

/** Tests whether a value can be the body of a response with items. */
export function isItemSource(value: unknown): value is ItemSource<unknown> {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

/** Items that are sent one by one. */
export interface WrittenItems extends Pick<DeclaredItems, "format" | "events"> {
  readonly source: ItemSource<unknown>;
  /** Validates an item, and returns it without undeclared members. */
  readonly toDeclared: (item: unknown) => unknown;
}

/**
 * Writes items in the format of their media type, no faster than they are read.
 * @param signal Ends the iteration, also while the next item is awaited.
 */
export async function* writeItems(
  { source, toDeclared, ...declared }: WrittenItems,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const items = typeof source === "function" ? source(signal) : source;
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const pauses = declared.format === "events" ? HEARTBEATS : NO_HEARTBEATS;
  let isFirst = true;
  let isOver = false;
  let length = 0;
  try {
    for (;;) {
      if (length >= BATCH) {
        length = 0;
        await nextTurn();
      }
      const pending = Promise.resolve(iterator.next());
      while ((await settles(pending, signal, isFirst ? pauses.first : pauses.later)) === LATE) {
        isFirst = false;
        yield COMMENT;
      }
      isFirst = false;
      if (signal.aborted) return;
      const next = await pending;
      isOver = next.done === true;
      if (next.done === true) return;
      const text = toText(toDeclared(next.value), declared);
      length += text.length;
      yield text;
    }
  } finally {
    // A source that is busy ends when it next yields.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function toText(item: unknown, { format, events }: Pick<DeclaredItems, "format" | "events">): string {
  if (format === "lines") return `${JSON.stringify(item)}\n`;
  if (format === "records") return `\u001E${JSON.stringify(item)}\n`;
  const { data, event, ...rest } = item as ServerEvent;
  const isPlain = typeof data === "string" && !hasJsonData(events, event, data);
  return formatEvent({
    ...rest,
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data: isPlain ? data : JSON.stringify(data) }),
  });
}

const LATE = Symbol("late");

/** Waits until a promise settles, a signal is aborted, or some milliseconds have passed: then it returns {@link LATE}. */
async function settles(pending: Promise<unknown>, signal: AbortSignal, limit: number): Promise<unknown> {
  let end: (value?: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const stop = () => {
    end();
  };
  signal.addEventListener("abort", stop);
  const timer = limit === Infinity ? undefined : setTimeout(end, limit, LATE);
  try {
    return await Promise.race([pending.then(stop, stop), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
