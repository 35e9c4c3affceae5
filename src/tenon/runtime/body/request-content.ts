import { type MediaKind, toMediaKind } from "../../core/http/media-type.js";
import type { Form, MediaType, RequestBody } from "../../core/model/index.js";
import type { Schema, SchemaRegistry } from "../../core/schema/index.js";

/** How a body of one of the declared media types is read. */
export function toBodyKind({ mediaTypes }: RequestBody, name: string): MediaKind {
  const form = mediaTypes.find((mediaType) => mediaType.name === name)?.form;
  return typeof form === "string" ? form : toMediaKind(name);
}

/** The fields of a body that is a form, and read as one. */
export function findForm(body: RequestBody | undefined, name: string | undefined): Form | undefined {
  const form = body?.mediaTypes.find((mediaType) => mediaType.name === name)?.form;
  return typeof form === "string" ? undefined : form;
}

/**
 * Finds the schema that validates a body of a media type: not of bytes, and not of text that stands for something else, such
 * as the object that an XML document describes.
 */
export function findBodySchema(
  { name, schema, form }: MediaType,
  registry: SchemaRegistry,
): Schema | undefined {
  const kind = typeof form === "string" ? form : toMediaKind(name);
  if (schema === undefined || kind === "binary") return undefined;
  const { type = [] } = registry.resolve(schema);
  return kind !== "text" || type.length === 0 || type.includes("string") ? schema : undefined;
}
