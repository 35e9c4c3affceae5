import type { WireValue } from "../text-value.js";
import { ValueProblem } from "../value-problem.js";
import { type Decode, formatParts, type FormattedValue, type ParsedValue, parseParts } from "./parts.js";

/** Parses `.blue`, `.a,b`, `.R,100`; exploded `.a.b`, `.R=100`. For path parameters. */
export function parseLabel(text: string, value: ParsedValue, decode: Decode): WireValue {
  if (!text.startsWith(".")) throw new ValueProblem('must start with "."');
  // The delimiter is a comma unless exploded (RFC 6570, section 3.2.5). OpenAPI's examples before 3.0.4 and 3.1.1 had dots.
  return parseParts(text.slice(1), value.explode ? "." : ",", value, decode);
}

export function formatLabel(parameter: FormattedValue, value: unknown): string {
  return `.${formatParts(parameter, value).join(parameter.explode ? "." : ",")}`;
}
