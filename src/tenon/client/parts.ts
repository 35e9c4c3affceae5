import { PartSplitter } from "../core/http/part-splitter.js";
import { findPosition, formatPartHead, isPart, type PartValue, toPartText } from "../core/http/parts.js";
import type { MediaType } from "../core/model/content.js";
import type { ClientOperation, PartPositions } from "./contract.js";
import { isBytes, toIterable, toStream, type WrittenBody } from "./request-body.js";
import { BrokenStreamError, discard, readChunks } from "./streams/items.js";
import type { Reconnection } from "./streams/reconnect.js";

/** Pieces of a body: texts and bytes. */
type Piece = string | Blob | Uint8Array<ArrayBuffer>;

function createBoundary(): string {
  return crypto
    .getRandomValues(new Uint32Array(4))
    .reduce((text, number) => text + number.toString(36), "part-");
}

/**
 * Formats a part with the delimiter after it, so that the service knows its end before there is another one.
 * @throws {TypeError} when it cannot be written as declared.
 */
export function formatPart(
  item: unknown,
  index: number,
  positions: PartPositions,
  boundary: string,
): readonly Piece[] {
  if (!isPart(item)) throw new TypeError(`Part ${index + 1} must be an object with a value`);
  const position = findPosition(positions, index);
  const { value } = item;
  // Parsers compare the beginning of a line: the outer boundary must not begin the inner one (RFC 2046, section 5.1.1).
  const inner = position?.parts && Array.isArray(value) ? `${index}-${boundary}` : undefined;
  const { kind, head } = formatPartHead(item, position, index, inner);
  return [index === 0 ? `--${boundary}${head}` : head, ...toContent(), `\r\n--${boundary}`];

  function toContent(): readonly Piece[] {
    if (kind === "json" || kind === "text") return [toPartText(kind, value)];
    if (inner !== undefined && position?.parts) {
      const { parts } = position;
      const pieces = (value as readonly unknown[]).flatMap((one, at) => formatPart(one, at, parts, inner));
      return [...pieces, formatEnd(pieces.length, inner)];
    }
    if (typeof value === "string" || value instanceof Blob) return [value];
    if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
    if (ArrayBuffer.isView(value))
      return [new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)];
    throw new TypeError(`The value of part ${index + 1} must be bytes`);
  }
}

/** @param count Number of parts, or of their pieces. */
export function formatEnd(count: number, boundary: string): string {
  return count === 0 ? `--${boundary}--\r\n` : "--\r\n";
}

/** Returns what a client needs to send the parts of a media type. */
export function toSentParts({
  name,
  items,
}: Pick<MediaType, "name" | "items">): Pick<ClientOperation, "parts" | "writeParts"> {
  return items?.parts ? { parts: { sent: { [name]: items.parts.positions } }, writeParts } : {};
}

/**
 * Writes the parts of a multipart body by their position. Generated code passes it to {@link defineCall} for the operations that have
 * such bodies.
 * @returns undefined for a body that the caller has written.
 * @throws {TypeError} for a part that cannot be written as declared.
 * @example
 * const mediaType = "multipart/mixed";
 * const addPictures: ClientOperation = {
 *   id: "addPictures",
 *   method: "post",
 *   path: "/pictures",
 *   responses: [[204]],
 *   mediaTypes: [mediaType],
 *   parts: { sent: { [mediaType]: { rest: { mediaTypes: ["image/png"] } } } },
 *   writeParts,
 * };
 */
export function writeParts(
  value: unknown,
  mediaType: string,
  positions: PartPositions,
): WrittenBody | undefined {
  const items = isBytes(value) || value instanceof FormData ? undefined : toIterable(value);
  if (items === undefined) return undefined;
  const boundary = createBoundary();
  const contentType = `${mediaType}; boundary=${boundary}`;
  if (Array.isArray(items)) {
    const parts = items.flatMap((item, index) => formatPart(item, index, positions, boundary));
    return { body: new Blob([...parts, formatEnd(items.length, boundary)]), contentType };
  }
  const stream = toStream(items, {
    write: (item, index) => formatPart(item, index, positions, boundary),
    formatEnd: (count) => formatEnd(count, boundary),
  });
  return { ...stream, contentType };
}

type PartReading = Pick<Reconnection, "operationId" | "signal" | "maxBody">;

/**
 * Reads the parts of a response: a list, or one by one. Bytes are a Blob. Generated code passes it to {@link defineCall} for the
 * operations that have such responses.
 * @throws {BrokenStreamError} when the body ends before its last delimiter, or a part cannot be read or is larger than `maxBody`.
 * @example
 * const mediaType = "multipart/mixed";
 * const listPictures: ClientOperation = {
 *   id: "listPictures",
 *   method: "get",
 *   path: "/pictures",
 *   responses: [[200, mediaType]],
 *   parts: { received: { [mediaType]: { rest: { mediaTypes: ["image/png"] } } } },
 *   readParts,
 * };
 */
export async function readParts(
  response: Response,
  positions: PartPositions,
  reading: PartReading,
): Promise<AsyncIterable<PartValue> | readonly PartValue[]> {
  const received = receiveParts(response, positions, reading);
  if (!positions.whole) return received;
  const list: PartValue[] = [];
  for await (const part of received) list.push(part);
  return list;
}

/**
 * Reads the parts of a response one by one; bytes are a Blob. Leaving the loop closes the connection.
 * @throws {BrokenStreamError} when the body ends before its last delimiter, or a part cannot be read.
 */
async function* receiveParts(
  response: Response,
  positions: PartPositions,
  { operationId, signal, maxBody }: PartReading,
): AsyncGenerator<PartValue, void> {
  let count = 0;
  /** Bytes in memory: since the last part, or of the list. */
  let size = 0;
  try {
    const splitter = new PartSplitter(response.headers.get("Content-Type") ?? "", positions);
    for await (const chunk of response.body ? readChunks(response.body, signal) : []) {
      size += chunk.byteLength;
      for (const part of splitter.read(chunk)) {
        yield toReceived(part);
        count += 1;
        if (!positions.whole) size = 0;
      }
      if (size > maxBody) throw new Error(explainTooLarge(positions.whole ? "the list" : "a part", maxBody));
    }
    splitter.end();
  } catch (cause) {
    // A body without a boundary is not read at all.
    discard(response);
    signal?.throwIfAborted();
    throw new BrokenStreamError(count, response, (cause as Error).message, { operationId, cause });
  }
}

const explainTooLarge = (what: string, maxBody: number): string =>
  `${what} has more than ${maxBody} bytes; the client's option \`maxBody\` sets the limit`;

function toReceived(part: PartValue): PartValue {
  const { value, mediaType = "" } = part;
  if (Array.isArray(value)) return { ...part, value: value.map(toReceived) };
  if (!(value instanceof Uint8Array)) return part;
  const bytes: Uint8Array<ArrayBuffer>[] = [value as Uint8Array<ArrayBuffer>];
  return { ...part, value: new Blob(bytes, { type: mediaType }) };
}
