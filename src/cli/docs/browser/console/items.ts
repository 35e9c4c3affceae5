import { type ItemFormat, ItemParser } from "tenon/core/http";
import { splitJson } from "../../texts/split-json.js";
import { create } from "../dom.js";

/** Creates a reader of a stream's items. An item that is not JSON is given as its text. */
export function createItemReader(format: ItemFormat, onItem: (item: unknown) => void) {
  const decoder = new TextDecoder();
  const parser = new ItemParser(format, []);
  const separator = parser.separator;
  let rest = "";
  let length = 0;
  let waiting = 0;
  const readPart = (part: string): boolean => {
    const text = part.replace(/\r$/, "");
    try {
      const item = parser.read(text);
      if (item !== undefined) onItem(item);
      return item !== undefined || format !== "events";
    } catch {
      onItem(text);
      return true;
    }
  };
  return {
    push(chunk: Uint8Array) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split(separator);
      rest = parts.pop() ?? "";
      for (const part of parts) {
        waiting += new TextEncoder().encode(part + separator).length;
        // The lines of an event belong together.
        if (!readPart(part)) continue;
        length += waiting;
        waiting = 0;
      }
    },
    /** Reads a last line without its end, which an event is not. */
    end() {
      if (format !== "events") readPart(rest);
    },
    /** Number of bytes up to the end of the last item. */
    getLength: () => length,
  };
}

export function highlightJson(text: string): readonly (Node | string)[] {
  return splitJson(text).map((token) =>
    token.kind === undefined ? token.text : create("span", { class: `hljs-${token.kind}` }, token.text),
  );
}

export function toMs(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

/** Older items of a stream are not shown any more. */
const MAX_ITEMS = 500;

/** How many items fill the list. */
const FULL = 12;

/** Longer items are cut, in characters; the saved body has all of them. */
const MAX_ITEM = 5_000;

export type Items = ReturnType<typeof createItems>;

/** Creates the list of a stream's items, which shows them frame by frame: thousands may arrive at once. */
export function createItems() {
  const element = create("ol", { class: "items", "aria-label": "Items", tabindex: "0" });
  let arrived: (readonly [index: number, item: unknown, time: number])[] = [];
  let count = 0;
  const show = (): void => {
    // A list that is not full yet stays in sight.
    if (element.children.length < FULL) element.scrollIntoView({ block: "nearest" });
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 8;
    element.append(...arrived.slice(-MAX_ITEMS).map((one) => createItem(...one)));
    arrived = [];
    while (element.children.length > MAX_ITEMS) element.firstElementChild?.remove();
    // Follows the stream, unless the reader has scrolled.
    if (isAtEnd) element.scrollTop = element.scrollHeight;
  };
  return {
    element,
    /** Shows the items that have arrived. */
    show,
    /** Finds the item with the value at a JSON pointer, when all that have arrived are shown. */
    find: (pointer: string): Element | undefined =>
      element.children[Number(pointer.split("/")[1]) - (count - element.children.length)],
    add(item: unknown, time: number) {
      if (arrived.length === 0) requestAnimationFrame(show);
      arrived.push([count, item, time]);
      count += 1;
      // A page in the background has no frames.
      if (arrived.length > 2 * MAX_ITEMS) arrived = arrived.slice(-MAX_ITEMS);
    },
  };
}

/** @param index Its place in the stream, as JSON pointers have it. */
function createItem(index: number, item: unknown, time: number): HTMLElement {
  const { event, data, id } = (item ?? {}) as Readonly<Record<string, unknown>>;
  const isEvent = typeof data === "string";
  const text = isEvent ? data : typeof item === "string" ? item : JSON.stringify(item);
  const facts = isEvent
    ? [event ?? "message", id].filter((fact) => typeof fact === "string" && fact !== "")
    : [];
  return create(
    "li",
    {},
    create("span", { class: "hint" }, [`/${index}`, ...facts, `after ${toMs(time)}`].join(" · ")),
    create("code", {}, ...(text.length > MAX_ITEM ? [`${text.slice(0, MAX_ITEM)}…`] : highlightJson(text))),
  );
}
