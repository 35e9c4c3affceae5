import type { Request, Response } from "express";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ByteSize } from "../../core/schema/index.js";
import { HttpError } from "../errors/http-error.js";
import { isStreamed, markStreamed } from "../http/body-time.js";
import { REST_BYTES, stopReading } from "../http/stop-reading.js";
import { assertSize, toIncomplete, toTooLarge, toUnsupportedCoding, withinSize } from "./body-errors.js";

/** Chunks of a body, decompressed. They are read from the connection no faster than they are iterated. */
export type Chunks = AsyncGenerator<Buffer, void>;

/**
 * Opens a request's body for a handler to read while it arrives. Iterating throws an {@link HttpError} when the body turns out to be
 * invalid, larger than the limit or incomplete.
 * @param limit Largest body in bytes, after decompression.
 * @throws {HttpError} `content_too_large` for its `Content-Length`, `unsupported_media_type` for its `Content-Encoding`.
 */
export function openChunks(request: Request, limit: number): Chunks {
  const chunks = readChunks(request, limit);
  markStreamed(request);
  const { "content-encoding": coding, "content-length": length = 0 } = request.headers;
  if (coding === undefined && Number(length) > limit) throw toTooLarge(limit);
  return chunks;
}

/**
 * Opens a request's body as a stream of bytes; see {@link openChunks}.
 * @param size What the contract allows. Less or more is an error as soon as it is known.
 */
export function openStream(request: Request, limit: number, size?: ByteSize): Readable {
  const chunks = openChunks(request, limit);
  const length = request.headers["content-length"];
  if (length !== undefined && request.headers["content-encoding"] === undefined)
    assertSize(Number(length), size);
  const stream = Readable.from(size === undefined ? chunks : withinSize(chunks, size), { objectMode: false });
  // Without a listener, a body that breaks before the handler reads it would end the process. The handler still gets the error.
  stream.on("error", () => undefined);
  return stream;
}

/**
 * Prepares a connection for a response to a request whose body was not read to its end: after the response, the rest is read within
 * narrow limits, and the connection closes. Call it before the response is sent.
 */
export function leaveUnread(request: Request, response: Response): void {
  if (!isStreamed(request) || request.readableEnded || response.headersSent) return;
  // Node reads the rest after the response if nothing was read.
  const length = Number(request.headers["content-length"] ?? Infinity);
  if (!request.readableDidRead && (request.complete || length <= REST_BYTES)) return;
  response.shouldKeepAlive = false;
  stopReading(request);
}

type CreateDecoder = typeof createGunzip | typeof createBrotliDecompress;

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * Reads a request's body. Iterating throws an {@link HttpError} when the body turns out to be invalid, larger than the limit or
 * incomplete.
 * @param limit Largest body in bytes, after decompression.
 * @throws {HttpError} `unsupported_media_type` for its `Content-Encoding`.
 */
export function readChunks(request: Request, limit: number): Chunks {
  const coding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  const createDecoder = DECODERS.get(coding);
  if (createDecoder === undefined && coding !== "identity") throw toUnsupportedCoding();
  const arriving = readArriving(request);
  return limited(createDecoder === undefined ? arriving : decompress(arriving, createDecoder), limit);
}

async function* limited(chunks: Chunks, limit: number): Chunks {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > limit) throw toTooLarge(limit);
    yield chunk;
  }
}

async function* readArriving(request: Request): Chunks {
  if (request.readableDidRead || request.readableEncoding !== null)
    throw new Error(
      "The body has been read before: body parsers come after the API, and handlers read before they reply",
    );
  try {
    // The connection is still needed for the response.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw toIncomplete(cause);
  }
}

async function* decompress(arriving: Chunks, createDecoder: CreateDecoder): Chunks {
  const decoder = createDecoder();
  let received = 0;
  const counted = async function* (): Chunks {
    for await (const chunk of arriving) {
      received += chunk.byteLength;
      yield chunk;
    }
  };
  try {
    yield* pipeline(counted(), decoder, () => undefined) as AsyncIterable<Buffer>;
  } catch (error) {
    throw isZlibError(error) ? toMalformed("The body cannot be decompressed", error) : error;
  }
  // Decoders end at the end of their data, and ignore the bytes after it.
  if (decoder.bytesWritten < received)
    throw toMalformed("The body continues after the end of its compressed data");
}

function isZlibError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^(Z_|ERR_.*BROTLI|ERR__)/.test(code);
}

function toMalformed(message: string, cause?: unknown): HttpError {
  return new HttpError("malformed_request", { message, cause });
}
