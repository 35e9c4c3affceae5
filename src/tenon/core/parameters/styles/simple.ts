import type { WireValue } from "../text-value.js";
import { type Decode, formatParts, type FormattedValue, type ParsedValue, parseParts } from "./parts.js";

/** Parses `blue`, `a,b`, `R,100,G,200`; exploded `R=100,G=200`. For paths, headers, and unexploded values of a query. */
export function parseSimple(text: string, value: ParsedValue, decode: Decode): WireValue {
  return parseParts(text, ",", value, decode);
}

export function formatSimple(parameter: FormattedValue, value: unknown): string {
  return formatParts(parameter, value).join(",");
}
