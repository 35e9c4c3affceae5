import type { Request } from "express";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { HttpError } from "../errors/http-error.js";
import { toIncomplete, toTooLarge, toUnsupportedCoding } from "./body-errors.js";

/** Chunks of a body, decompressed. They are read from the connection no faster than they are iterated. */
export type Chunks = AsyncGenerator<Buffer, void>;

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
    throw new Error("The body has been read before: body parsers come after the API, and handlers read before they reply");
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
