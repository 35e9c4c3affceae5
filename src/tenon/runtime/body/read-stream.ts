import type { Request, Response } from "express";
import { Readable } from "node:stream";
import type { ByteSize } from "../../core/schema/index.js";
import { isStreamed, markStreamed } from "../http/body-time.js";
import { assertSize, toTooLarge, withinSize } from "./body-errors.js";
import { type Chunks, readChunks } from "./chunks.js";
import { REST_BYTES, stopReading } from "./read-bytes.js";

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
