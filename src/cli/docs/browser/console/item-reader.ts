import { type ItemFormat, ItemParser } from "tenon/core/http";

/** Creates a reader of a stream's items. One that is no JSON is given as its text. */
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
