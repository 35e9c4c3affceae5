import type { ParameterDescriptor, PlainType } from "../operation.js";
import { decodePercent } from "./percent.js";
import { createPlainReader } from "./plain-values.js";
import { decodeQueryText } from "./query.js";
import type { RawRequest } from "./read-parameter.js";
import type { StyledValue } from "./styled-value.js";

/**
 * Reads a parameter that is sent as one text of one plain type.
 * @returns undefined when the parameter is absent, and where `readParameter` has something to say about it.
 * @throws {ValueProblem} for a bad percent-escape.
 */
export type PlainParameterReader = (request: RawRequest) => unknown;

/**
 * The short way for what nearly every parameter is, beside `readParameter`, which knows all styles and types.
 * @returns undefined for any other parameter.
 */
export function createPlainParameterReader(
  { in: place }: ParameterDescriptor,
  { name, style, type }: StyledValue,
): PlainParameterReader | undefined {
  if (!isPlain(type)) return undefined;
  const read = createPlainReader(type);
  if (place === "path" && style === "simple") {
    return ({ path }) => {
      const text = path[name];
      return text === undefined ? undefined : read(decodePercent(text));
    };
  }
  if (place === "query" && style === "form") {
    return ({ query }) => {
      const texts = query.get(name);
      if (texts?.length !== 1) return undefined;
      const [text = ""] = texts;
      return text === "" ? undefined : read(decodeQueryText(text));
    };
  }
  return undefined;
}

function isPlain(type: StyledValue["type"]): type is PlainType {
  return typeof type === "string" && type !== "json";
}
