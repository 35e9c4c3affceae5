import type { ItemFormat } from "../../core/http/item-format.js";
import { HttpError } from "../errors/http-error.js";
import { toTooLarge } from "./body-errors.js";
import { CollectedBytes } from "./collected-bytes.js";
import { parseExactJson } from "./json.js";
import type { Chunks } from "./read-stream.js";
import { type ReceivedItem, SentItems } from "./sent-items.js";

/** Opens items. After many of them, other requests get their turn. */
export function openItems(source: AsyncIterable<Iterable<ReceivedItem>>): SentItems {
  return new SentItems(source, () => new Promise(setImmediate));
}

/**
 * Reads the items of each chunk.
 * @param format Lines of JSON, or records of RFC 7464.
 * @param limit Largest item in bytes.
 */
export async function* splitItems(
  chunks: Chunks,
  format: ItemFormat,
  limit: number,
): AsyncGenerator<Iterable<ReceivedItem>, void> {
  const splitter = new Splitter(format === "records" ? RECORDS : LINES, limit);
  for await (const chunk of chunks) yield splitter.split(chunk);
  yield splitter.end();
}

/** `first` is the number of the part before the first separator; 0 if it must be blank. */
const LINES = { name: "Line", separator: 0x0a, first: 1 };
const RECORDS = { name: "Record", separator: 0x1e, first: 0 };

class Splitter {
  readonly #pending = new CollectedBytes();
  #number: number;

  constructor(
    private readonly format: typeof LINES,
    private readonly limit: number,
  ) {
    this.#number = format.first;
  }

  *split(chunk: Buffer): Generator<ReceivedItem, void> {
    const { separator } = this.format;
    let start = 0;
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      this.#add(chunk.subarray(start, end));
      yield* this.end();
      start = end + 1;
    }
    if (start < chunk.byteLength) this.#add(chunk.subarray(start));
  }

  /** Returns the part that has ended. */
  *end(): Generator<ReceivedItem, void> {
    const bytes = this.#pending.take();
    const place = this.#place;
    this.#number += 1;
    if (bytes.every(isBlank)) return;
    if (this.#number === 1)
      throw HttpError.refusal("malformed_json", { message: "The body does not begin with U+001E" });
    yield { place, value: parseExactJson(bytes, place) };
  }

  #add(bytes: Buffer): void {
    this.#pending.add(bytes);
    if (this.#pending.size > this.limit) throw toTooLarge(this.limit, { subject: this.#place });
  }

  get #place(): string {
    return `${this.format.name} ${this.#number}`;
  }
}

/** Tests a byte. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
