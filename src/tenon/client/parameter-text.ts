import type { WrittenStyle } from "./contract.js";

/** A parameter with everything that says how it is written. */
export interface StyledParameter {
  readonly name: string;
  /** A field of a form is written as a parameter of a query is. */
  readonly in: "path" | "query" | "header" | "cookie" | "form";
  readonly style: NonNullable<WrittenStyle["style"]>;
  readonly explode: boolean;
}

/**
 * Writes a value that is one text: those of path and header, and what is not exploded in a query or cookie.
 * `{ R: 100, G: 200 }` in the exploded style `label` becomes `.R=100.G=200`.
 * @throws {TypeError} when the text would be read as something else.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function writeText(parameter: StyledParameter, value: unknown): string {
  const { name, style, explode } = parameter;
  if (style === "json") return writeJson(parameter, value);
  const parts = toParts(parameter, value);
  switch (style) {
    case "label":
      return `.${parts.join(explode ? "." : ",")}`;
    case "matrix": {
      if (explode && isObject(value)) return parts.map((part) => `;${part}`).join("");
      const key = `;${encodeURIComponent(name)}=`;
      return explode ? parts.map((part) => key + part).join("") || key : key + parts.join(",");
    }
    case "spaceDelimited":
      return parts.join("%20");
    case "pipeDelimited":
      return parts.join("%7C");
    default:
      return parts.join(",");
  }
}

export function writeJson(parameter: StyledParameter, value: unknown): string {
  const text = JSON.stringify(value);
  return parameter.in === "header" ? text : encodeURIComponent(text);
}

/** The items of an array; `R=100` for each property of an exploded object, `R` and `100` for each of another. */
function toParts(parameter: StyledParameter, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 1 && value[0] === "")
      refuse(parameter, "a list of one empty text is read as an empty list");
    return value.map((item) => encodePart(parameter, item));
  }
  if (!isObject(value)) return [encodeWhole(parameter, value)];
  return Object.entries(value).flatMap(([key, property]) => {
    if (property === undefined) return [];
    const pair = [encodePart(parameter, key), encodePart(parameter, property)];
    // In a header it cannot be escaped, and the name is read up to the first.
    if (parameter.explode && pair[0]?.includes("="))
      refuse(parameter, `"${key}" cannot be the name of a property`);
    return parameter.explode ? [pair.join("=")] : pair;
  });
}

/** What ends a part wherever it stands: it cannot be escaped, or not in a way that tells it apart. */
function findDelimiter(parameter: StyledParameter): string | undefined {
  if (parameter.in === "header") return ",";
  return { spaceDelimited: " ", pipeDelimited: "|" }[parameter.style as string];
}

function encodePart(parameter: StyledParameter, value: unknown): string {
  const text = toPlainText(parameter, value);
  const delimiter = findDelimiter(parameter);
  if (delimiter !== undefined && text.includes(delimiter))
    refuse(parameter, `what stands between its parts, "${delimiter}", cannot be in one`);
  return encodeWhole(parameter, text);
}

function encodeWhole(parameter: StyledParameter, value: unknown): string {
  const text = toPlainText(parameter, value);
  if (parameter.in === "header") {
    if (text !== text.trim()) refuse(parameter, "a header cannot have space around its value");
    return text;
  }
  const encoded = encodeURIComponent(text);
  return parameter.style === "label" ? encoded.replaceAll(".", "%2E") : encoded;
}

/** @throws {TypeError} for what is no plain value. */
export function toPlainText(parameter: StyledParameter, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return refuse(parameter, "its style has no place for such a value");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refuse({ in: place, name }: StyledParameter, why: string): never {
  const what = place === "form" ? "field" : `${place} parameter`;
  throw new TypeError(`Cannot send the ${what} "${name}": ${why}`);
}
