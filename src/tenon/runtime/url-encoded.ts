import type { SentField } from "./form-fields.js";
import { HttpError } from "./http-error.js";

/**
 * Parses an `application/x-www-form-urlencoded` body: `a=1&a=2` is two fields, `+` a space.
 * @throws {HttpError} `malformed_request` for a bad percent-escape or one that is not UTF-8.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing (which would let bad escapes pass)
 */
export function parseUrlEncoded(text: string): readonly SentField[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return { name: decode(name), value: decode(rest.join("=")) };
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new HttpError("malformed_request", { message: "The form has a bad percent-escape", cause });
  }
}
