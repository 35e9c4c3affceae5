import { type MediaKind, toMediaKind, toReplyKind } from "../http/media-type.js";
import type { Schema } from "../schema/schema.js";
import type { Items, MediaType } from "./contract.js";

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
