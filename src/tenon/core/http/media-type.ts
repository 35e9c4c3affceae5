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
  // First the whole text, which is cheap: nearly no name has a star.
  return mediaType.includes("/*") && toEssence(mediaType).includes("/*");
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

/** A media type or range with its parameters: `text/csv; header=present`. */
export interface ParsedMediaType {
  /** Without parameters, in lower case. */
  readonly essence: string;
  /** Names in lower case. Of parameters with the same name, the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A value in quotes ends with its quote, or with the text. */
const PARAMETERS = /;([^;=]*)=(?:"((?:[^"\\]|\\[^])*)[^;]*|([^;]*))/g;
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/** @returns undefined for a text that is neither a media type nor a range. */
export function parseMediaType(text: string): ParsedMediaType | undefined {
  const essence = toEssence(text);
  const [type = "", subtype = "", ...rest] = essence.split("/");
  if (!TOKEN.test(type) || !TOKEN.test(subtype) || rest.length > 0) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(PARAMETERS)) {
    const value = quoted?.replaceAll(/\\([^])/g, "$1") ?? plain.trim();
    const key = name.trim().toLowerCase();
    if (TOKEN.test(key) && value !== "" && !parameters.has(key)) parameters.set(key, value);
  }
  return { essence, parameters };
}

/**
 * Tests whether a media type or range covers another: it has all parameters of the range, whatever their case. `charset` does not
 * count, because text is UTF-8 either way.
 */
export function coversMediaType(range: ParsedMediaType, mediaType: ParsedMediaType): boolean {
  return (
    coversEssence(range.essence, mediaType.essence) &&
    [...range.parameters].every(
      ([name, value]) =>
        name === "charset" || mediaType.parameters.get(name)?.toLowerCase() === value.toLowerCase(),
    )
  );
}

/**
 * RFC 9110, section 12.5.1: a media type with parameters comes before one without, then `application/*+json`, `image/*`, `*\/*`.
 */
export function toSpecificity({ essence, parameters }: ParsedMediaType): number {
  const level = essence === "*/*" ? 0 : essence.endsWith("/*") ? 1 : isRange(essence) ? 2 : 3;
  return level * 1_000 + parameters.size - (parameters.has("charset") ? 1 : 0);
}

/** Finds the declared media type or range that covers a `Content-Type`; the most specific wins, then the first. */
export function findMediaType<Declared extends { readonly name: string }>(
  declared: readonly Declared[],
  contentType: string,
): Declared | undefined {
  const actual = parseMediaType(contentType);
  if (actual === undefined) return undefined;
  return declared
    .flatMap((mediaType) => {
      const parsed = parseMediaType(mediaType.name);
      return parsed && coversMediaType(parsed, actual) ? [{ mediaType, rank: toSpecificity(parsed) }] : [];
    })
    .sort((a, b) => b.rank - a.rank)[0]?.mediaType;
}
