import { type MediaKind, toMediaKind, toReplyKind } from "../http/media-type.js";
import type { MediaType } from "./contract.js";

/** Returns how the body of a response is written: item by item, or as one value of the media type's kind. */
export function toContentKind({
  name,
  items,
}: Pick<MediaType, "name" | "items">): "items" | "json" | "text" | "binary" {
  return items === undefined ? toReplyKind(name) : "items";
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
