import type { WireValue } from "../text-value.js";
import { type Decode, formatParts, type FormattedValue, type ParsedValue, parseParts } from "./parts.js";

/** Parses `a%20b` of a query, also with a plain space or `+`. Exploded values are parsed as `form`. */
export function parseSpaceDelimited(text: string, value: ParsedValue, decode: Decode): WireValue {
  return parseParts(text, /%20|[+ ]/, value, decode);
}

export function formatSpaceDelimited(parameter: FormattedValue, value: unknown): string {
  return formatParts(parameter, value).join("%20");
}

/** Parses `a%7Cb`. RFC 3986 does not allow a plain "|" in a URL, but clients send it. */
export function parsePipeDelimited(text: string, value: ParsedValue, decode: Decode): WireValue {
  return parseParts(text, /%7C|\|/i, value, decode);
}

export function formatPipeDelimited(parameter: FormattedValue, value: unknown): string {
  return formatParts(parameter, value).join("%7C");
}
