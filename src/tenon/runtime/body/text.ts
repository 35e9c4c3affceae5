import { HttpError } from "../errors/http-error.js";

/**
 * Decodes UTF-8 that can be kept exactly; a byte order mark stays part of the text.
 * @param what Subject of the message: `The body`.
 * @throws {HttpError} `invalid_body` when it is not UTF-8 or has a NUL character.
 */
export function decodeText(bytes: Uint8Array, what: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HttpError("invalid_body", { message: `${what} is not UTF-8`, cause });
  }
  if (text.includes("\0")) throw new HttpError("invalid_body", { message: `${what} has a NUL character` });
  return text;
}
