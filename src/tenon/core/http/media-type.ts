/**
 * How values of a media type are read and written: JSON as the schema's type, forms as an object of fields, text as a
 * string, everything else as bytes.
 */
export type MediaKind = "json" | "form" | "multipart" | "text" | "binary";

/**
 * Type and subtype of RFC 6838, section 4.2, or a range of RFC 9110, section 12.5.1; then parameters. `application/*+json` is
 * in neither: generators of contracts write it for whatever has the suffix, and so it is read.
 */
const MEDIA_TYPE =
  /^(?:\*\/\*|[a-z\d][\w!#$&^.+-]*\/(?:\*(?:\+[a-z\d-]+)?|[a-z\d][\w!#$&^.+-]*))(?:\s*;.*)?$/i;

/** Whether a key of `content` is a media type or a range such as `image/*` or `application/*+json`. */
export function isMediaType(name: string): boolean {
  return MEDIA_TYPE.test(name);
}

/** `Text/CSV; header=present` becomes `text/csv`. */
export function toEssence(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function isRange(mediaType: string): boolean {
  return toEssence(mediaType).includes("/*");
}

/** Whether a media type, or a range such as `image/*` or `application/*+json`, covers another. Both without parameters. */
export function coversEssence(range: string, essence: string): boolean {
  if (range === "*/*" || range === essence) return true;
  const [start = "", suffix = ""] = range.split("*");
  return isRange(range) && essence.startsWith(start) && essence.endsWith(suffix);
}

/** A range is of the kind that every media type in it can be read as: `text/*` is text, `*\/*` is binary. */
export function toMediaKind(mediaType: string): MediaKind {
  const essence = toEssence(mediaType);
  if (essence === "application/json" || essence.endsWith("+json")) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence.startsWith("text/") || essence === "application/xml" || essence.endsWith("+xml")) return "text";
  return "binary";
}

/**
 * The media types that `Accept` chooses among: those of the operation's successes, in document order. `default` counts
 * where nothing else declares a success, because beside one it stands for errors.
 */
export function toNegotiated(
  responses: readonly (readonly [status: string, mediaTypes: readonly string[]])[],
): readonly string[] {
  const successes = responses.filter(([status]) => status.startsWith("2"));
  const chosen = successes.length > 0 ? successes : responses.filter(([status]) => status === "default");
  return [...new Set(chosen.flatMap(([, mediaTypes]) => mediaTypes))];
}

/** A response's form is written as bytes: only the fields of a request's are the contract's to read. */
export function toReplyKind(mediaType: string): "json" | "text" | "binary" {
  const kind = toMediaKind(mediaType);
  return kind === "json" || kind === "text" ? kind : "binary";
}
