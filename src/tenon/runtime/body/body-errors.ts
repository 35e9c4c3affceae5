import type { ByteSize } from "../../core/schema/index.js";
import { HttpError } from "../errors/http-error.js";
import { toValidationError } from "../errors/validation-problems.js";

export function toTooLarge(
  limit: number,
  { subject = "The body", cause }: { readonly subject?: string; readonly cause?: unknown } = {},
): HttpError {
  const message = `${subject} is larger than ${limit} bytes`;
  return HttpError.refusal("content_too_large", { message, headers: { Connection: "close" }, cause });
}

export function toIncomplete(cause: unknown): HttpError {
  return HttpError.refusal("malformed_request", { message: "The body is not as long as announced", cause });
}

export function toUnsupportedCoding(cause?: unknown): HttpError {
  return new HttpError("unsupported_media_type", {
    message: "Content-Encoding must be gzip, deflate, br or identity",
    headers: { "Accept-Encoding": "gzip, deflate, br, identity" },
    cause,
  });
}

/** The bytes whose size is checked. */
export interface SizedBytes {
  /** Subject of the message: `Field "photo"`. Default: `The body`. */
  readonly subject?: string;
  /** Their place in the body. */
  readonly path?: readonly string[];
}

function toError(text: string, { subject = "The body", path = [] }: SizedBytes): HttpError {
  return toValidationError([{ in: "body", path, subject, text }]);
}

/** Creates the error for bytes of which there are more than `max`. */
export function toTooLong(max: number, bytes: SizedBytes = {}): HttpError {
  return toError(`must not have more than ${max} bytes`, bytes);
}

/** @throws {HttpError} `invalid_body` for bytes that are too few or too many. */
export function assertSize(
  size: number,
  { min = 0, max = Infinity }: ByteSize = {},
  bytes: SizedBytes = {},
): void {
  if (size > max) throw toTooLong(max, bytes);
  if (size < min) throw toError(`must not have fewer than ${min} bytes`, bytes);
}

/** Passes chunks on until they are too large, or have ended too early; see {@link assertSize}. */
export async function* withinSize<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  size: ByteSize,
): AsyncGenerator<Chunk, void> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > (size.max ?? Infinity)) throw toTooLong(size.max ?? 0);
    yield chunk;
  }
  assertSize(length, size);
}
