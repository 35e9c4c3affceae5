import type { Request } from "express";
import { HttpError } from "../errors/http-error.js";
import { stopReading } from "../http/stop-reading.js";
import { toIncomplete, toTooLarge } from "./body-errors.js";
import { CollectedBytes } from "./collected-bytes.js";
import { readChunks } from "./read-stream.js";

/**
 * Reads a request's whole body, decompressed.
 * @param limit Largest body in bytes, after decompression.
 * @throws {HttpError} `content_too_large`, `unsupported_media_type` for its `Content-Encoding`, `malformed_request`.
 */
export type ReadBytes = (request: Request) => Buffer | Promise<Buffer>;

export function createByteReader(limit: number): ReadBytes {
  return (request) => {
    const plain = isPlain(request);
    // A small body arrives with the head and waits in memory. Listening to the stream would take longer than parsing it.
    if (plain && request.complete && request.readableLength > 0 && request.readableLength <= limit)
      return request.read() as Buffer;
    return (plain ? readPlain(request, limit) : readOther(request, limit)).catch((error: unknown) => {
      if (error instanceof HttpError && error.code === "content_too_large") stopReading(request);
      throw error;
    });
  };
}

/** True when the body is neither compressed nor already read by other middleware. */
function isPlain(request: Request): boolean {
  if (request.headers["content-encoding"] !== undefined) return false;
  return request.body === undefined && request.readableFlowing === null && request.readableEncoding === null;
}

/**
 * Node's parser ensures that a complete body has the announced length. A body that is too large is refused as early as possible.
 */
function readPlain(request: Request, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > limit) {
      reject(toTooLarge(limit));
      return;
    }
    const collected = new CollectedBytes();
    const fail = (cause?: unknown): void => {
      if (!request.complete) reject(toIncomplete(cause));
    };
    request.on("data", (chunk: Buffer) => {
      if (collected.size + chunk.byteLength > limit) reject(toTooLarge(limit));
      else collected.add(chunk);
    });
    request.on("error", fail);
    request.on("close", fail);
    request.on("end", () => {
      resolve(collected.take());
    });
  });
}

async function readOther(request: Request, limit: number): Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body;
  const collected = new CollectedBytes();
  try {
    for await (const chunk of readChunks(request, limit)) collected.add(chunk);
    return collected.take();
  } finally {
    // The connection can be used again when the rest is read.
    request.resume();
  }
}
