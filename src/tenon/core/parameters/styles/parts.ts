import { isNode } from "../../document/node.js";
import { splitPair } from "../pairs.js";
import type { ParameterStyle, StyledLocation, Written } from "../style.js";
import { describeType, findArrayType, type WireValue } from "../text-value.js";
import { isArrayType, isObjectType, type ValueType } from "../value-type.js";
import { ValueProblem } from "../value-problem.js";

/** A value to parse: a parameter, or a field of a form. */
export interface ParsedValue extends Written {
  readonly name: string;
  readonly type: ValueType;
}

/** A value to format. */
export interface FormattedValue {
  readonly name: string;
  readonly in: StyledLocation;
  /** `json` is a value described by `content`; `jsonOrText` has objects and arrays as JSON, and other values as plain text. */
  readonly style: ParameterStyle | "json" | "jsonOrText";
  readonly explode: boolean;
  /** Leaves reserved characters as they are where they have no meaning. Default: false. */
  readonly allowReserved?: boolean | undefined;
}

/** A name and its text, both encoded as in a query. */
export type TextPair = readonly [name: string, text: string];

/** Decodes a part of a received text. Splitting comes first, because an escaped delimiter is part of a value. */
export type Decode = (text: string) => string;

/**
 * Parses delimited parts: the items of an array, or the names and values of an object.
 * `R,100,G,200`, or exploded `R=100,G=200`, becomes `R` with `"100"` and `G` with `"200"`.
 */
export function parseParts(
  text: string,
  delimiter: string | RegExp,
  { type, explode }: ParsedValue,
  decode: Decode,
): WireValue {
  if (findArrayType(type) !== undefined) return parseValues(text.split(delimiter), type, decode);
  if (!isObjectType(type)) return decode(text);
  const parts = text === "" ? [] : text.split(delimiter);
  return parseProperties(explode ? parts.map(splitPair) : toPairs(parts), decode);
}

function toPairs(parts: readonly string[]): readonly [string, string][] {
  if (parts.length % 2 === 1) throw new ValueProblem("must be a list of names, each followed by its value");
  return parts.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : [],
  );
}

export function parseProperties(
  pairs: readonly (readonly [name: string, text: string])[],
  decode: Decode,
): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const [encoded, text] of pairs) {
    const name = decode(encoded);
    if (properties.has(name)) throw new ValueProblem("must come only once", [name]);
    properties.set(name, decode(text));
  }
  return properties;
}

/**
 * Parses the values with one name. Only an array can have several.
 * @throws {ValueProblem} if there are several and the type does not allow an array.
 */
export function parseValues(
  values: readonly string[],
  type: ValueType,
  decode: Decode,
  path: readonly string[] = [],
): WireValue {
  if (findArrayType(type) === undefined) return decode(getOnly(values, type, path));
  const [only = "", ...others] = values;
  if (others.length > 0) return values.map(decode);
  // With several types, a single text may be a plain value or an array with one item.
  if (!isArrayType(type)) return decode(only);
  // A single empty text is an empty array: https://spec.openapis.org/oas/v3.1.1#style-examples
  return only === "" ? [] : [decode(only)];
}

export function getOnly(values: readonly string[], type: ValueType, path: readonly string[] = []): string {
  const [only = "", ...others] = values;
  if (others.length > 0) throw new ValueProblem(`must be ${describeType(type)}, and only once`, path);
  return only;
}

/** Formats the items of an array, or the properties of an object: `R=100` if exploded, otherwise `R` and `100`. */
export function formatParts(parameter: FormattedValue, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    refuseEmptyText(parameter, value);
    return value.map((item) => formatPart(parameter, item));
  }
  if (!isNode(value)) return [formatWhole(parameter, value)];
  return Object.entries(value).flatMap(([key, property]) => {
    if (property === undefined) return [];
    const pair = [formatPart(parameter, key), formatPart(parameter, property)];
    // A header cannot escape "=", and the name ends at the first one.
    if (parameter.explode && pair[0]?.includes("="))
      refuse(parameter, `"${key}" cannot be the name of a property`);
    return parameter.explode ? [pair.join("=")] : pair;
  });
}

/** Finds the delimiter that parts cannot contain, because escaping it is impossible or ambiguous. */
function findDelimiter({ in: location, style }: FormattedValue): string | undefined {
  if (location === "header" || style === "cookie") return ",";
  return { spaceDelimited: " ", pipeDelimited: "|" }[style as string];
}

function formatPart(parameter: FormattedValue, value: unknown): string {
  const text = toPlainText(parameter, value);
  const delimiter = findDelimiter(parameter);
  if (delimiter !== undefined && text.includes(delimiter))
    refuse(parameter, `a part cannot contain the delimiter "${delimiter}"`);
  return formatWhole(parameter, text);
}

function formatWhole(parameter: FormattedValue, value: unknown): string {
  const text = toPlainText(parameter, value);
  if (parameter.in === "header") {
    if (text !== text.trim()) refuse(parameter, "a header value cannot start or end with space");
    if (/[\0\r\n]|[^\0-\xff]/.test(text))
      refuse(parameter, "a header value cannot have a line break, NUL or characters beyond Latin-1");
    return text;
  }
  if (parameter.style === "cookie") {
    // RFC 6265, section 4.1.1. Spaces in a value are common, and browsers keep them.
    if (/[^ -~]|;/.test(text) || text !== text.trim())
      refuse(
        parameter,
        "style cookie does not escape: a value cannot have ;, space around it or other than ASCII",
      );
    return text;
  }
  const encoded =
    parameter.allowReserved === true ? escapeReserved(text, parameter) : encodeURIComponent(text);
  return parameter.style === "label" ? encoded.replaceAll(".", "%2E") : encoded;
}

/** Characters that separate values, or end the part of a URL. Brackets are not allowed in a path or query (RFC 3986, section 3.4). */
const MEANINGFUL = { path: /[/?#[\],;=.]/g, query: /[#[\]&=+,;]/g } as const;

/**
 * Escapes text but for reserved characters without a meaning in a path or query: `a:b@c` stays. A `%` is escaped, so that the value
 * stays the same.
 * @see https://spec.openapis.org/oas/v3.2.0#url-percent-encoding
 */
function escapeReserved(text: string, { in: location }: FormattedValue): string {
  const meaningful = location === "path" ? MEANINGFUL.path : MEANINGFUL.query;
  // `encodeURI` also leaves reserved characters; it escapes brackets.
  return encodeURI(text).replaceAll(meaningful, encodeURIComponent);
}

/** Formats a value with its name, which is repeated for each item of an array. */
export function formatValues(parameter: FormattedValue, key: string, value: unknown): readonly TextPair[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value)) refuseEmptyText(parameter, value);
  return values.map((item) => [key, formatWhole(parameter, item)]);
}

export function formatJson(parameter: FormattedValue, value: unknown): string {
  const text = JSON.stringify(value);
  return parameter.in === "header" ? text : encodeURIComponent(text);
}

export function formatJsonOrText(parameter: FormattedValue, value: unknown): string {
  if (typeof value === "object" && value !== null) return formatJson(parameter, value);
  if (typeof value === "string" && /^[[{]/.test(value))
    refuse(parameter, "a text that starts with { or [ would be parsed as JSON");
  return formatWhole(parameter, value);
}

/** Encodes a name, except that of a cookie (RFC 6265, section 4.1.1). */
export function formatName(parameter: FormattedValue, name: string): string {
  if (parameter.in !== "cookie") return encodeURIComponent(name);
  if (/[^!-~]|[;=,]/.test(name)) refuse(parameter, `"${name}" cannot be the name of a cookie`);
  return name;
}

/** @throws {TypeError} if the value is not plain. */
export function toPlainText(parameter: FormattedValue, value: unknown): string {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) refuse(parameter, "it has half of a surrogate pair");
    return value;
  }
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return refuse(parameter, "its style cannot represent this value");
}

function refuseEmptyText(parameter: FormattedValue, list: readonly unknown[]): void {
  if (list.length === 1 && list[0] === "")
    refuse(parameter, "an array with one empty text would be parsed as an empty array");
}

export function refuse({ in: location, name }: FormattedValue, reason: string): never {
  const what = location === "form" ? "field" : `${location} parameter`;
  throw new TypeError(`Cannot send the ${what} "${name}": ${reason}`);
}
