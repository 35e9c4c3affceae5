import type { ItemFormat } from "../../core/http/item-format.js";
import { HttpError } from "../errors/http-error.js";
import { CollectedBytes } from "./collected-bytes.js";
import { parseExactJson } from "./json.js";
import { toTooLarge } from "./read-bytes.js";
import type { Chunks } from "./read-stream.js";

/** An item of a request body, before validation. */
export interface SentItem {
  readonly value: unknown;
  /** Number of items before it. */
  readonly index: number;
  /** Its place for the sender: `Line 3`. */
  readonly place: string;
}

/** Number of items after which other requests get their turn. */
const TURN_ITEMS = 256;

/** The items of a request body, which are parsed while they are iterated. */
export class SentItems {
  /** Called for each item before validation; returns a function that is called when the item is valid. */
  observe: (item: unknown) => () => void = () => () => undefined;

  /**
   * @param format Lines of JSON, or records of RFC 7464.
   * @param limit Largest item in bytes.
   */
  constructor(
    private readonly chunks: Chunks,
    private readonly format: ItemFormat,
    private readonly limit: number,
  ) {}

  /**
   * Reads the items.
   * @param validate Throws for an invalid item, and puts defaults into a valid one.
   */
  async *read(validate: (item: SentItem) => void): AsyncGenerator<unknown, void> {
    let index = 0;
    for await (const parts of this.#split()) {
      for (const { place, bytes } of parts) {
        const value = parseExactJson(bytes, place);
        const found = this.observe(value);
        validate({ value, index, place });
        found();
        yield value;
        index += 1;
        // A chunk may have thousands of items.
        if (index % TURN_ITEMS === 0) await new Promise(setImmediate);
      }
    }
  }

  /** Splits each chunk into the parts that end in it, without blank ones. */
  async *#split(): AsyncGenerator<Iterable<Part>, void> {
    const splitter = new Splitter(this.format === "records" ? RECORDS : LINES, this.limit);
    for await (const chunk of this.chunks) yield splitter.split(chunk);
    yield splitter.end();
  }
}

/** `first` is the number of the part before the first separator; 0 if it must be blank. */
const LINES = { name: "Line", separator: 0x0a, first: 1 };
const RECORDS = { name: "Record", separator: 0x1e, first: 0 };

interface Part {
  readonly place: string;
  readonly bytes: Buffer;
}

class Splitter {
  readonly #pending = new CollectedBytes();
  #number: number;

  constructor(
    private readonly format: typeof LINES,
    private readonly limit: number,
  ) {
    this.#number = format.first;
  }

  *split(chunk: Buffer): Generator<Part, void> {
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
  *end(): Generator<Part, void> {
    const bytes = this.#pending.take();
    const place = this.#place;
    this.#number += 1;
    if (bytes.every(isBlank)) return;
    if (this.#number === 1)
      throw HttpError.refusal("malformed_json", { message: "The body does not begin with U+001E" });
    yield { place, bytes };
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
