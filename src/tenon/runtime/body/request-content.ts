import { type Form, type MediaType, type RequestBody, toRequestKind } from "../../core/model/index.js";
import type { Schema, SchemaRegistry } from "../../core/schema/index.js";
import { HttpError } from "../errors/http-error.js";

/** The fields of a body that is a form, and read as one. */
export function findForm(body: RequestBody | undefined, name: string | undefined): Form | undefined {
  const form = body?.mediaTypes.find((mediaType) => mediaType.name === name)?.form;
  return typeof form === "string" ? undefined : form;
}

/**
 * Finds the schema that validates a body of a media type: not of bytes, and not of text that stands for something else, such
 * as the object that an XML document describes.
 */
export function findBodySchema(mediaType: MediaType, registry: SchemaRegistry): Schema | undefined {
  const { schema, items } = mediaType;
  if (items?.parts?.whole) return items.parts.whole;
  const kind = toRequestKind(mediaType);
  if (schema === undefined || kind === "binary" || kind === "items") return undefined;
  const { type = [] } = registry.resolve(schema);
  return kind !== "text" || type.length === 0 || type.includes("string") ? schema : undefined;
}

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
