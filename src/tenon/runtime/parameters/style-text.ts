import { findArrayType, isObjectType, type WireValue } from "./plain-values.js";
import { splitPair } from "./query.js";
import type { StyledValue } from "./styled-value.js";
import { type Decode, getOnly, readValues } from "./style-values.js";
import { ValueProblem } from "./value-problem.js";

/**
 * Takes apart a value that is one text: those of path and header, and what is not exploded in a query or cookie.
 * `.R=100.G=200` in the exploded style `label` becomes `R` with `"100"` and `G` with `"200"`.
 * @throws {ValueProblem} when the text is not in the style.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function readText(text: string, value: StyledValue, decode: Decode): WireValue {
  switch (value.style) {
    case "matrix":
      return readMatrix(text, value, decode);
    case "label":
      if (!text.startsWith(".")) throw new ValueProblem('must start with "."');
      // Commas unless exploded (RFC 6570, section 3.2.5); the examples of OpenAPI before 3.0.4 and 3.1.1 had dots.
      return readParts(text.slice(1), value.explode ? "." : ",", value, decode);
    case "spaceDelimited":
      return readParts(text, /%20|[+ ]/, value, decode);
    case "pipeDelimited":
      // A URL cannot have a plain "|" (RFC 3986), and clients send it all the same.
      return readParts(text, /%7C|\|/i, value, decode);
    case "simple":
    case "form":
    case "deepObject":
      return readParts(text, ",", value, decode);
  }
}

/** `;color=blue`, `;color=a,b` or `;color=a;color=b`, `;color=R,1` or `;R=1`. */
function readMatrix(text: string, value: StyledValue, decode: Decode): WireValue {
  const { name, type, explode } = value;
  const [before, ...rest] = text.split(";");
  const pairs = rest.map(splitPair);
  const named = pairs.length > 0 && pairs.every(([key]) => decode(key) === name);
  if (before === "" && explode && isObjectType(type)) return toProperties(pairs, decode);
  if (before !== "" || !named) throw new ValueProblem(`must be written as ";${name}=" and the value`);
  const texts = pairs.map(([, part]) => part);
  if (explode && findArrayType(type) !== undefined) return readValues(texts, type, { decode });
  return readParts(getOnly(texts, type), ",", value, decode);
}

function readParts(
  text: string,
  delimiter: string | RegExp,
  { type, explode }: StyledValue,
  decode: Decode,
): WireValue {
  if (findArrayType(type) !== undefined) return readValues(text.split(delimiter), type, { decode });
  if (!isObjectType(type)) return decode(text);
  const parts = text === "" ? [] : text.split(delimiter);
  return toProperties(explode ? parts.map(splitPair) : toPairs(parts), decode);
}

/** `R,100,G,200` is `R` with `100` and `G` with `200`. */
function toPairs(parts: readonly string[]): readonly [string, string][] {
  if (parts.length % 2 === 1) throw new ValueProblem("must be a list of names, each followed by its value");
  return parts.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : [],
  );
}

function toProperties(
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
