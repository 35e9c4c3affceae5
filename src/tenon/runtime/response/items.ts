import { createEventFormatter } from "../../core/http/event-stream.js";
import { formatJson } from "../../core/json/format-json.js";
import type { Items as DeclaredItems } from "../../core/model/index.js";
import { createPartFormatter } from "./parts.js";

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

/** Tests whether a value can be the body of a response with items. */
export function isItemSource(value: unknown): value is ItemSource<unknown> {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

export type ItemIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** @param createSignal Creates the signal that a function gets. */
export function iterate(source: ItemSource<unknown>, createSignal: () => AbortSignal): ItemIterator {
  const items = typeof source === "function" ? source(createSignal()) : source;
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

/** Ends an iteration. A generator that is busy ends when it next yields. */
export function endIteration(iterator: ItemIterator): void {
  // The stream is over: its reader gets no more errors.
  void (async () => iterator.return?.())().catch(() => undefined);
}

/** Ends the iteration of items that are not sent. */
export function discardItems(source: ItemSource<unknown>): void {
  if (typeof source !== "function") endIteration(iterate(source, () => AbortSignal.abort()));
}

/** Items that are sent one by one. */
export interface WrittenItems {
  readonly source: ItemSource<unknown>;
  readonly format: DeclaredItems["format"];
  /** True if clients can continue the stream on another connection. */
  readonly resumes: boolean;
  /**
   * Validates and serializes an item.
   * @throws {Error} when it must not be sent.
   */
  readonly write: (item: unknown, index: number) => string;
  /** Text after the last item. */
  readonly end: (items: number) => string;
}

/** Serializes the items of one response. Bytes of parts are a character each. */
export interface ItemFormatter {
  /** The `Content-Type`. Default: the media type. */
  readonly toContentType?: (mediaType: string) => string;
  readonly format: (item: unknown, index: number) => string;
  readonly end?: (items: number) => string;
}

/** Creates the function that creates the formatters of responses of a media type. */
export function createItemFormatters({
  format,
  events,
  parts,
}: Pick<DeclaredItems, "format" | "events" | "parts">): () => ItemFormatter {
  const same = (formatter: ItemFormatter["format"]) => () => ({ format: formatter });
  switch (format) {
    case "events":
      return same(createEventFormatter(events) as ItemFormatter["format"]);
    case "lines":
      return same((item) => `${formatJson(item)}\n`);
    case "records":
      return same((item) => `\u001E${formatJson(item)}\n`);
    case "parts":
      return () => createPartFormatter(parts?.positions ?? {});
  }
}
