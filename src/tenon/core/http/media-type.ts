/**
 * The way values of a media type are parsed and serialized: JSON as the schema's type, forms as an object of fields, text as a
 * string, anything else as bytes.
 */
export type MediaKind = "json" | "form" | "multipart" | "text" | "binary";

/**
 * Type and subtype of RFC 6838, section 4.2, or a range of RFC 9110, section 12.5.1; then parameters. Neither defines
 * `application/*+json`, but contract generators use it for every type with the suffix.
 */
const MEDIA_TYPE =
  /^(?:\*\/\*|[a-z\d][\w!#$&^.+-]*\/(?:\*(?:\+[a-z\d-]+)?|[a-z\d][\w!#$&^.+-]*))(?:\s*;.*)?$/i;

/** Tests whether a key of `content` is a media type or a range such as `image/*` or `application/*+json`. */
export function isMediaType(name: string): boolean {
  return MEDIA_TYPE.test(name);
}

/** Returns a media type without parameters, in lower case: `Text/CSV; header=present` becomes `text/csv`. */
export function toEssence(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function isRange(mediaType: string): boolean {
  return toEssence(mediaType).includes("/*");
}

/** Tests whether a media type or range, such as `image/*` or `application/*+json`, covers another. Both without parameters. */
export function coversEssence(range: string, essence: string): boolean {
  if (range === "*/*" || range === essence) return true;
  const [start = "", suffix = ""] = range.split("*");
  return isRange(range) && essence.startsWith(start) && essence.endsWith(suffix);
}

/** Returns the kind of a media type. A range has the kind that fits every media type in it: `text/*` is text, `*\/*` is binary. */
export function toMediaKind(mediaType: string): MediaKind {
  const essence = toEssence(mediaType);
  if (essence === "application/json" || essence.endsWith("+json")) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence.startsWith("text/") || essence === "application/xml" || essence.endsWith("+xml")) return "text";
  return "binary";
}

/** Returns the kind of a response's media type. A form is sent as bytes: only request forms have fields. */
export function toReplyKind(mediaType: string): "json" | "text" | "binary" {
  const kind = toMediaKind(mediaType);
  return kind === "json" || kind === "text" ? kind : "binary";
}

/**
 * Finds the declared media type of a content type: the same one, otherwise the first range that covers it. Parameters are ignored.
 * `text/csv; header=present` is found as `text/csv` before `text/*`.
 */
export function findMediaType<Declared extends { readonly name: string }>(
  declared: readonly Declared[],
  contentType: string,
): Declared | undefined {
  const essence = toEssence(contentType);
  return (
    declared.find(({ name }) => toEssence(name) === essence) ??
    declared.find(({ name }) => coversEssence(toEssence(name), essence))
  );
}
