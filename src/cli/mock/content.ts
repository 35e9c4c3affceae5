import { isRange, toEssence, toReplyKind } from "tenon/core/http";
import type { ReplyContent } from "tenon/runtime/internal";

/** A transparent picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A well-known media type of each range. */
const MEMBERS: Readonly<Record<string, string>> = {
  "*/*": "application/octet-stream",
  "application/*": "application/octet-stream",
  "audio/*": "audio/mpeg",
  "image/*": "image/png",
  "text/*": "text/plain",
  "video/*": "video/mp4",
};

/**
 * Converts a value to the content of a media type: JSON and text as they are, bytes from a string or as they are.
 * @param declared May be a range.
 */
export function toContent(declared: string, value: unknown): ReplyContent {
  const kind = toReplyKind(declared);
  const mediaType = toConcrete(declared);
  if (kind !== "binary" || value instanceof Uint8Array) return { mediaType, kind, body: value };
  return { mediaType, kind, body: Buffer.from(String(value)) };
}

/** A minimal document of a format that schemas do not describe. Undefined where any text is valid. */
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
