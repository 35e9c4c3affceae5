import type { Request } from "express";
import { HttpError } from "../errors/http-error.js";
import { toIncomplete, toTooLarge } from "./body-errors.js";
import { readChunks } from "./chunks.js";
import { CollectedBytes } from "./collected-bytes.js";

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

/** How much a caller may send after a body was refused, in bytes and milliseconds. */
export const REST_BYTES = 2 ** 20;
const REST_MS = 1_000;

/**
 * Closes the connection after the response, even if the caller goes on sending. Not at once: a caller that is still sending would get a
 * connection reset instead of the response (RFC 9112, section 9.6).
 */
export function stopReading(request: Request): void {
  const { socket, complete } = request;
  if (complete) return;
  // Node calls this when it has sent a response with `Connection: close`.
  socket.destroySoon = () => {
    const mostBytes = socket.bytesRead + REST_BYTES;
    const deadline = performance.now() + REST_MS;
    socket.end();
    request.resume();
    const timer = setInterval(() => {
      if (socket.bytesRead > mostBytes || performance.now() > deadline) socket.destroy();
    }, 10);
    socket.once("close", () => {
      clearInterval(timer);
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
