import { toReplyKind } from "../http/media-type.js";
import type { MediaType } from "./contract.js";

/** Returns how the body of a response is written: item by item, or as one value of the media type's kind. */
export function toContentKind({
  name,
  items,
}: Pick<MediaType, "name" | "items">): "items" | "json" | "text" | "binary" {
  return items === undefined ? toReplyKind(name) : "items";
}
