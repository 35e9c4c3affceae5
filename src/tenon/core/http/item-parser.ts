import { parseExactJson } from "../json/parse-exact-json.js";
import { EventParser, type EventKind, hasJsonData } from "./event-stream.js";
import type { ItemFormat } from "./item-format.js";

/** Reads the items of a body from its parts: lines, or records of RFC 7464. */
export class ItemParser {
  readonly separator: "\n" | "\u001E";
  readonly #format: ItemFormat;
  readonly #kinds: readonly EventKind[];
  readonly events = new EventParser();

  constructor(format: ItemFormat, kinds: readonly EventKind[]) {
    this.separator = format === "records" ? "\u001E" : "\n";
    this.#format = format;
    this.#kinds = kinds;
  }

  /**
   * Reads a part without its separator.
   * @returns the item that it ends, if any. JSON has no undefined.
   * @throws {Error} when it is not JSON, or has a number that JavaScript cannot represent exactly.
   */
  read(part: string): unknown {
    if (this.#format !== "events") return part.trim() === "" ? undefined : parseExactJson(part);
    const event = this.events.read(part);
    if (event === undefined || !hasJsonData(this.#kinds, event.event, event.data)) return event;
    return { ...event, data: parseExactJson(event.data) };
  }
}

/**
 * Reads the items of a whole body.
 * @throws {Error} when one of them is not JSON.
 */
export function parseItems(
  text: string,
  format: ItemFormat,
  kinds: readonly EventKind[],
): readonly unknown[] {
  const parser = new ItemParser(format, kinds);
  const parts = format === "events" ? text.split(/\r\n|\r|\n/) : text.split(parser.separator);
  return parts.map((part) => parser.read(part)).filter((item) => item !== undefined);
}
