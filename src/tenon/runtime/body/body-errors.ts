import { HttpError } from "../errors/http-error.js";

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
