import express, { type Request, type Response } from "express";
import { HttpError } from "../errors/http-error.js";
import { toIncomplete, toTooLarge, toUnsupportedCoding } from "./body-errors.js";
import { CollectedBytes } from "./collected-bytes.js";

/**
 * Reads a request's whole body, decompressed.
 * @param limit Largest body in bytes, after decompression.
 * @throws {HttpError} `content_too_large`, `unsupported_media_type` for its `Content-Encoding`, `malformed_request`.
 */
export type ReadBytes = (request: Request, response: Response) => Buffer | Promise<Buffer>;

export function createByteReader(limit: number): ReadBytes {
  const decompress = express.raw({ limit, type: () => true });
  return (request, response) => {
    const plain = isPlain(request);
    // A small body arrives with the head and waits in memory. Listening to the stream would take longer than parsing it.
    if (plain && request.complete && request.readableLength > 0 && request.readableLength <= limit)
      return request.read() as Buffer;
    return new Promise((resolve, fail) => {
      const reject = (error: Error): void => {
        if (error instanceof HttpError && error.code === "content_too_large") stopReading(request);
        fail(error);
      };
      if (plain) {
        readPlain(request, limit, { resolve, reject });
        return;
      }
      decompress(request, response, (error?: unknown) => {
        if (error !== undefined) reject(toHttpError(error, limit));
        else if (Buffer.isBuffer(request.body)) resolve(request.body);
        else reject(new Error("The body has been read before: body parsers come after the API"));
      });
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
function readPlain(request: Request, limit: number, { resolve, reject }: Settle): void {
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
}

interface Settle {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** The `type` of a body-parser error identifies the problem. @see https://github.com/expressjs/body-parser#errors */
export function toHttpError(error: unknown, limit: number): Error {
  switch ((error as { type?: unknown }).type) {
    case "entity.too.large":
      return toTooLarge(limit, { cause: error });
    case "encoding.unsupported":
      return toUnsupportedCoding(error);
    case "request.size.invalid":
    case "request.aborted":
      return toIncomplete(error);
    default: {
      // A body that does not decompress has zlib's code and no type.
      const { code, status } = error as { code?: unknown; status?: unknown };
      if (status === 400 || (typeof code === "string" && /^(Z_|ERR_.*BROTLI|ERR__)/.test(code))) {
        return new HttpError("malformed_request", {
          message: "The body cannot be decompressed",
          cause: error,
        });
      }
      return error instanceof Error ? error : new Error("The body cannot be read", { cause: error });
    }
  }
}
