import type { Request, Response } from "express";
import { Readable, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ByteSize } from "../../core/schema/index.js";
import { HttpError } from "../errors/http-error.js";
import { isStreamed, markStreamed } from "../http/body-time.js";
import { assertSize, toIncomplete, toTooLarge, toUnsupportedCoding, withinSize } from "./body-errors.js";
import { REST_BYTES, stopReading, toHttpError } from "./read-bytes.js";

/** Chunks of a body, decompressed. They are read from the connection no faster than they are iterated. */
export type Chunks = AsyncGenerator<Buffer, void>;

/**
 * Opens a request's body for a handler to read while it arrives. Iterating throws an {@link HttpError} when the body turns out to be
 * invalid, larger than the limit or incomplete.
 * @param limit Largest body in bytes, after decompression.
 * @throws {HttpError} `content_too_large` for its `Content-Length`, `unsupported_media_type` for its `Content-Encoding`.
 */
export function openChunks(request: Request, limit: number): Chunks {
  const coding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  const createDecoder = DECODERS.get(coding);
  if (createDecoder === undefined && coding !== "identity") throw toUnsupportedCoding();
  markStreamed(request);
  if (createDecoder === undefined && Number(request.headers["content-length"] ?? 0) > limit)
    throw toTooLarge(limit);
  return readChunks(request, createDecoder, limit);
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

type CreateDecoder = () => NodeJS.ReadWriteStream;

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

async function* readChunks(
  request: Request,
  createDecoder: CreateDecoder | undefined,
  limit: number,
): Chunks {
  let length = 0;
  try {
    const arriving = readArriving(request);
    const chunks =
      createDecoder === undefined ? arriving : pipeline(arriving, createDecoder(), () => undefined);
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > limit) throw toTooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : toHttpError(error, limit);
  }
}

async function* readArriving(request: Request): Chunks {
  if (request.readableDidRead)
    throw new Error("The body has been read before: by a body parser, or after the response was sent");
  try {
    // The connection is still needed for the response.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw toIncomplete(cause);
  }
}
