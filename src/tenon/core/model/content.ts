import type { EventKind } from "../http/event-stream.js";
import type { ItemFormat } from "../http/item-format.js";
import { type MediaKind, toMediaKind, toReplyKind } from "../http/media-type.js";
import type { Positions } from "../http/parts.js";
import type { Lasting } from "../document/lifecycle.js";
import type { Placed } from "../document/node.js";
import type { Written } from "../parameters/style.js";
import type { ValueType } from "../parameters/value-type.js";
import type { Schema } from "../schema/schema.js";
import type { ByteSize } from "../schema/byte-size.js";

interface NamedExample extends Placed {
  /** Its key in `examples`; `default` for the value of `example`. */
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#example-object */
export interface Example extends NamedExample {
  readonly value: unknown;
}

export interface ExternalExample extends NamedExample {
  /** Absolute URL of its value. */
  readonly url: string;
}

/** @see https://spec.openapis.org/oas/v3.1.0#request-body-object */
export interface RequestBody extends Placed {
  readonly required: boolean;
  readonly description?: string;
  readonly mediaTypes: readonly MediaType[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#media-type-object */
export interface MediaType extends Placed {
  /** Media type as declared; may be a range such as `image/*`. */
  readonly name: string;
  /** Name of its reply method if a status has several media types: `json`, `problemJson`. */
  readonly methodName: string;
  /** Absent if the body is not described. */
  readonly schema?: Schema;
  /** Present if the body is a stream of items that are described. */
  readonly items?: Items;
  readonly examples: readonly Example[];
  /** Examples with `externalValue`, which is not fetched. */
  readonly externalExamples: readonly ExternalExample[];
  readonly encoding: readonly Encoding[];
  /** Fields of a request's form. If its schema is not an object, the whole body is text or bytes. Absent for other media types. */
  readonly form?: Form | "text" | "binary";
  /** Size of a request's body of bytes, if it is limited. */
  readonly size?: ByteSize;
}

/** The items of a sequential media type. */
export interface Items {
  readonly format: ItemFormat;
  /** Schema of an item. That of an event has the type of its data, not of the text that is sent. */
  readonly schema: Schema;
  /** Kinds of events; empty for other formats. */
  readonly events: readonly EventKind[];
  /** Present for the format `parts`. */
  readonly parts?: Parts;
}

/**
 * The parts of a multipart body by position. Each is an object with `value`, `mediaType` and `headers`.
 * @see https://spec.openapis.org/oas/v3.2.0#encoding-by-position
 */
export interface Parts {
  readonly positions: Positions;
  /** Schemas of the first parts. */
  readonly prefix: readonly Schema[];
  /** Schema of the parts after them; absent if there are none. */
  readonly rest?: Schema;
  /** Schema of the list of all parts, if the body is described as a whole. */
  readonly whole?: Schema;
}

/** @see https://spec.openapis.org/oas/v3.1.0#encoding-object */
export interface Encoding extends Placed, Partial<Written> {
  /** Name of the property. */
  readonly name: string;
  readonly contentType?: string;
  /** Headers of the part of a multipart form. */
  readonly headers: readonly ResponseHeader[];
  readonly allowReserved?: boolean;
}

export interface Form {
  readonly fields: readonly FormField[];
  /** Type of undeclared fields; absent if the schema does not describe them. */
  readonly others?: FormField["type"];
}

/** A property of a form's schema and its serialization. */
export interface FormField extends Written {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** `files` is an array of files. */
  readonly type: ValueType | "file" | "files";
  /** Media types and ranges that a part may have; empty if not declared. */
  readonly mediaTypes: readonly string[];
  /** Size of a file, or of each of several, if it is limited. */
  readonly size?: ByteSize;
}

/** @see https://spec.openapis.org/oas/v3.1.0#response-object */
export interface Response extends Placed {
  /** `"200"`, `"4XX"` or `"default"`. */
  readonly status: string;
  /** Pointer of the status in the operation; {@link pointer} is that of the resolved response. */
  readonly declaredAt: string;
  readonly summary?: string;
  readonly description?: string;
  readonly headers: readonly ResponseHeader[];
  /** Media types; empty if the response has no body. */
  readonly mediaTypes: readonly MediaType[];
  readonly links: readonly Link[];
}

/** @see https://spec.openapis.org/oas/v3.1.0#header-object */
export interface ResponseHeader extends Placed, Lasting {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly explode: boolean;
  /** Media type, if it has `content` instead of a style. */
  readonly mediaType?: string;
  readonly examples: readonly Example[];
}

/** Values of a response to use as parameters of another operation: `petId` is `$response.body#/id`. */
export interface Link extends Placed {
  readonly name: string;
  readonly operationId: string;
  /** Runtime expressions by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns how the body of a response is written: item by item, or as one value of the media type's kind. */
export function toContentKind({
  name,
  items,
}: Pick<MediaType, "name" | "items">): "items" | "json" | "text" | "binary" {
  return items === undefined ? toReplyKind(name) : "items";
}

const lists = new WeakMap<Items, Schema>();

/** Returns the schema of a list of all items, the same each time. */
export function toItemList(items: Items): Schema {
  const { schema, parts } = items;
  if (parts?.whole) return parts.whole;
  const { pointer } = schema;
  const list = lists.get(items) ?? {
    pointer,
    type: ["array"],
    ...(parts && parts.prefix.length > 0 && { prefixItems: parts.prefix }),
    items: parts === undefined ? schema : (parts.rest ?? { pointer, never: true }),
  };
  lists.set(items, list);
  return list;
}

/** Returns how the body of a request is read: item by item, or as one value of the media type's kind. */
export function toRequestKind({
  name,
  items,
  form,
}: Pick<MediaType, "name" | "items" | "form">): "items" | MediaKind {
  if (items !== undefined) return "items";
  return typeof form === "string" ? form : toMediaKind(name);
}
