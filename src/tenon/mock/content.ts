import { isRange, toEssence, toReplyKind } from "../media-type.js";
import type { ReplyContent } from "../runtime/reply.js";

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
 * A value as a media type is sent: JSON as it is; what is text or bytes from a string.
 * @param declared May be a range.
 * @param value Undefined where nothing says what it is.
 */
export function toContent(declared: string, value: unknown): ReplyContent {
  const kind = toReplyKind(declared);
  const mediaType = isRange(declared) ? toMember(toEssence(declared)) : declared;
  if (kind === "json") return { mediaType, kind, body: value };
  if (kind === "text") return { mediaType, kind, body: value };
  const isPicture = toEssence(mediaType) === "image/png" && typeof value !== "string";
  return { mediaType, kind, body: isPicture ? PIXEL : Buffer.from(String(value)) };
}

/** What stands in the place of a document that is neither JSON nor described: a sentence, in a tag where XML is expected. */
export function toDocument(mediaType: string, sentence: string): string {
  const essence = toEssence(mediaType);
  if (essence === "text/html") return `<!doctype html><title>Mock</title><p>${sentence}</p>`;
  return /[/+]xml$/.test(essence) ? `<mock>${sentence}</mock>` : sentence;
}

function toMember(range: string): string {
  return MEMBERS[range] ?? range.replace("*", "vnd.mock");
}
