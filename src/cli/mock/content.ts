import { isRange, toEssence, toReplyKind } from "tenon/core/http/media-type";
import type { ReplyContent } from "tenon/runtime/response/reply";

/** A transparent picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A media type of a range, where a member is better known than the range's own name. */
const MEMBERS: Readonly<Record<string, string>> = {
  "*/*": "application/octet-stream",
  "application/*": "application/octet-stream",
  "audio/*": "audio/mpeg",
  "image/*": "image/png",
  "text/*": "text/plain",
  "video/*": "video/mp4",
};

/**
 * A value as a media type is sent: JSON as it is, what is text or bytes from a string, or bytes as they are.
 * @param declared May be a range.
 */
export function toContent(declared: string, value: unknown): ReplyContent {
  const kind = toReplyKind(declared);
  const mediaType = toConcrete(declared);
  if (kind !== "binary" || value instanceof Uint8Array) return { mediaType, kind, body: value };
  return { mediaType, kind, body: Buffer.from(String(value)) };
}

/** What stands in the place of a document whose form a schema does not tell. Undefined where any text will do. */
export function toDocument(declared: string, sentence: string): string | Buffer | undefined {
  const essence = toEssence(toConcrete(declared));
  if (essence === "image/png") return PIXEL;
  if (essence === "text/html") return `<!doctype html><title>Mock</title><p>${sentence}</p>`;
  return /[/+]xml$/.test(essence) ? `<mock>${sentence}</mock>` : undefined;
}

function toConcrete(declared: string): string {
  const range = toEssence(declared);
  return isRange(declared) ? (MEMBERS[range] ?? range.replace("*", "vnd.mock")) : declared;
}
