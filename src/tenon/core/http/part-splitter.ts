import { parseExactJson } from "../json/parse-exact-json.js";
import {
  findPosition,
  parsePartHead,
  type PartValue,
  type Positions,
  readPartHeaders,
  toBoundary,
  toPartKind,
  toPlain,
  toUsualType,
} from "./parts.js";

const RETURN = 0x0d;
const LINE = 0x0a;
const DASH = 0x2d;

/** Reads the parts of a multipart body from its chunks. Bytes are a `Uint8Array`. */
export class PartSplitter {
  readonly #delimiter: Uint8Array;
  readonly #positions: Positions;
  /** Begins with a line break, so that the first delimiter can be the first line. */
  #bytes = new Uint8Array([RETURN, LINE]);
  /** Number of bytes that wait for their delimiter. */
  #length = 2;
  /** Number of them that do not begin a delimiter. */
  #searched = 0;
  #index = -1;
  /** The next two bytes decide whether the part before the delimiter was the last one. */
  #isAtDelimiter = false;
  #isEnded = false;

  /** @throws {Error} when the `Content-Type` has no boundary. */
  constructor(contentType: string, positions: Positions) {
    this.#delimiter = new TextEncoder().encode(`\r\n--${toBoundary(contentType)}`);
    this.#positions = positions;
  }

  /**
   * Yields the parts that end in a chunk.
   * @throws {Error} when a part cannot be read.
   */
  *read(chunk: Uint8Array): Generator<PartValue, void> {
    if (this.#isEnded) return;
    this.#add(chunk);
    const { byteLength } = this.#delimiter;
    const bytes = this.#bytes.subarray(0, this.#length);
    let start = 0;
    let from = this.#searched;
    for (;;) {
      if (this.#isAtDelimiter) {
        if (bytes.byteLength < start + 2) break;
        this.#isEnded = bytes[start] === DASH && bytes[start + 1] === DASH;
        if (this.#isEnded) break;
        this.#isAtDelimiter = false;
      }
      const end = this.#find(bytes, from);
      if (end < 0) {
        from = Math.max(from, bytes.byteLength - byteLength);
        break;
      }
      // A part is complete before its sender knows whether there is another one.
      if (this.#index >= 0) yield this.#toPart(bytes.subarray(start, end));
      this.#index += 1;
      this.#isAtDelimiter = true;
      start = from = end + byteLength;
    }
    this.#searched = from - start;
    this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
  }

  /** @throws {Error} when the last delimiter is missing. */
  end(): void {
    if (!this.#isEnded) throw new Error("the body ends before its last delimiter");
  }

  #add(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.byteLength));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  #find(bytes: Uint8Array, from: number): number {
    const delimiter = this.#delimiter;
    for (let at = bytes.indexOf(RETURN, from); at >= 0; at = bytes.indexOf(RETURN, at + 1))
      if (delimiter.every((byte, index) => bytes[at + index] === byte)) return at;
    return -1;
  }

  #toPart(part: Uint8Array): PartValue {
    const end = findHeadEnd(part);
    const sent = parsePartHead(part.subarray(0, end));
    const position = findPosition(this.#positions, this.#index);
    if (position === undefined) throw new Error(`part ${this.#index + 1} is not declared`);
    const contentType = sent.get("content-type") ?? toUsualType(position);
    const headers = readPartHeaders(sent, position);
    return {
      value: this.#toValue(part.slice(end + 4), contentType, position),
      mediaType: (contentType.split(";", 1)[0] ?? "").trim().toLowerCase(),
      ...(headers && { headers }),
    };
  }

  #toValue(
    content: Uint8Array,
    contentType: string,
    position: NonNullable<ReturnType<typeof findPosition>>,
  ): unknown {
    const kind = toPartKind(contentType, position);
    if (kind === "binary") return content;
    if (kind === "parts") return readParts(content, contentType, position.parts ?? {});
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    if (kind === "text") return text;
    return position.as === "json" ? toPlain(text) : parseExactJson(text);
  }
}

/**
 * Reads the parts of a whole multipart body.
 * @throws {Error} when the body is not whole, or a part cannot be read.
 */
export function readParts(body: Uint8Array, contentType: string, positions: Positions): readonly PartValue[] {
  const splitter = new PartSplitter(contentType, positions);
  const parts = [...splitter.read(body)];
  splitter.end();
  return parts;
}

/** @throws {Error} when a part has no blank line after its headers. */
function findHeadEnd(part: Uint8Array): number {
  for (let at = part.indexOf(RETURN); at >= 0; at = part.indexOf(RETURN, at + 1))
    if (part[at + 1] === LINE && part[at + 2] === RETURN && part[at + 3] === LINE) return at;
  throw new Error("a part has no blank line after its headers");
}
