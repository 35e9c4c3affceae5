/** Parsing and formatting of styled values, with one file per style. */
import type { Pairs } from "../pairs.js";
import type { WireValue } from "../text-value.js";
import { formatDeepObject, parseDeepObject } from "./deep-object.js";
import {
  formatPipeDelimited,
  formatSpaceDelimited,
  parsePipeDelimited,
  parseSpaceDelimited,
} from "./delimited.js";
import { formatExploded, isExploded, parseExploded } from "./exploded.js";
import { formatLabel, parseLabel } from "./label.js";
import { formatMatrix, parseMatrix } from "./matrix.js";
import {
  type Decode,
  formatJson,
  formatJsonOrText,
  formatName,
  type FormattedValue,
  getOnly,
  type ParsedValue,
  type TextPair,
} from "./parts.js";
import { formatSimple, parseSimple } from "./simple.js";

export { getDeepKeys } from "./deep-object.js";
export { isExploded } from "./exploded.js";
export {
  type Decode,
  type FormattedValue,
  type ParsedValue,
  refuse,
  type TextPair,
  toPlainText,
} from "./parts.js";

/**
 * Parses a value that is one text: in a path or header, or not exploded in a query or cookie.
 * `.R=100.G=200` in the exploded style `label` becomes `R` with `"100"` and `G` with `"200"`.
 * @throws {ValueProblem} if the text does not have the style.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function parseText(text: string, value: ParsedValue, decode: Decode): WireValue {
  switch (value.style) {
    case "matrix":
      return parseMatrix(text, value, decode);
    case "label":
      return parseLabel(text, value, decode);
    case "spaceDelimited":
      return parseSpaceDelimited(text, value, decode);
    case "pipeDelimited":
      return parsePipeDelimited(text, value, decode);
    case "simple":
    case "form":
    case "cookie":
    case "deepObject":
      return parseSimple(text, value, decode);
  }
}

/**
 * Parses a value from a query, a form or cookies.
 * @param undeclared Undeclared names.
 * @returns undefined if it is absent.
 * @throws {ValueProblem} if the values do not have its style.
 */
export function parseFromPairs(
  pairs: Pairs,
  value: ParsedValue,
  decode: Decode,
  undeclared: readonly string[] = [],
): WireValue | undefined {
  const { name, style, type } = value;
  if (style === "deepObject") return parseDeepObject(pairs, value, decode);
  if (isExploded(value)) return parseExploded(pairs, value, decode, undeclared);
  const texts = pairs.get(name);
  return texts && parseText(getOnly(texts, type), value, decode);
}

/**
 * Formats a value as one text.
 * `{ R: 100, G: 200 }` in the exploded style `label` becomes `.R=100.G=200`.
 * @throws {TypeError} if the text would be parsed as a different value.
 */
export function formatText(parameter: FormattedValue, value: unknown): string {
  switch (parameter.style) {
    case "json":
      return formatJson(parameter, value);
    case "jsonOrText":
      return formatJsonOrText(parameter, value);
    case "label":
      return formatLabel(parameter, value);
    case "matrix":
      return formatMatrix(parameter, value);
    case "spaceDelimited":
      return formatSpaceDelimited(parameter, value);
    case "pipeDelimited":
      return formatPipeDelimited(parameter, value);
    default:
      return formatSimple(parameter, value);
  }
}

/**
 * Formats a value for a query, a form or cookies, with its own name or the names of its properties.
 * @throws {TypeError} if the text would be parsed as a different value.
 */
export function formatAsPairs(parameter: FormattedValue, value: unknown): readonly TextPair[] {
  const { style, explode, name } = parameter;
  if (style === "deepObject") return formatDeepObject(parameter, value);
  if (style !== "json" && style !== "jsonOrText" && explode) return formatExploded(parameter, value);
  return [[formatName(parameter, name), formatText(parameter, value)]];
}
