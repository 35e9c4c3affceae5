import { isNode } from "../../document/node.js";
import { splitPair } from "../pairs.js";
import { findArrayType, type WireValue } from "../text-value.js";
import { isObjectType } from "../value-type.js";
import { ValueProblem } from "../value-problem.js";
import {
  type Decode,
  formatParts,
  type FormattedValue,
  getOnly,
  type ParsedValue,
  parseParts,
  parseProperties,
  parseValues,
} from "./parts.js";

/** Parses `;color=blue`, `;color=a,b`, `;color=R,1`; exploded `;color=a;color=b`, `;R=1`. For path parameters. */
export function parseMatrix(text: string, value: ParsedValue, decode: Decode): WireValue {
  const { name, type, explode } = value;
  const [before, ...rest] = text.split(";");
  const pairs = rest.map(splitPair);
  const isNamed = pairs.length > 0 && pairs.every(([key]) => decode(key) === name);
  if (before === "" && explode && isObjectType(type)) return parseProperties(pairs, decode);
  if (before !== "" || !isNamed) throw new ValueProblem(`must be written as ";${name}=" and the value`);
  const texts = pairs.map(([, part]) => part);
  if (explode && findArrayType(type) !== undefined) return parseValues(texts, type, decode);
  return parseParts(getOnly(texts, type), ",", value, decode);
}

export function formatMatrix(parameter: FormattedValue, value: unknown): string {
  const { name, explode } = parameter;
  const parts = formatParts(parameter, value);
  if (explode && isNode(value)) return parts.map((part) => `;${part}`).join("");
  const key = `;${encodeURIComponent(name)}=`;
  return explode ? parts.map((part) => key + part).join("") || key : key + parts.join(",");
}
