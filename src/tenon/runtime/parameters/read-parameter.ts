import { parseCookies } from "./cookies.js";
import type { ParameterDescriptor } from "../operation.js";
import { decodePercent } from "./percent.js";
import { toPlainValue, type WireValue } from "./plain-values.js";
import { decodeQueryText, type Pairs } from "./query.js";
import { readPairs } from "./style-pairs.js";
import { readText } from "./style-text.js";
import type { StyledValue } from "./styled-value.js";
import { ValueProblem } from "./value-problem.js";

/** What parameters are read from, as it was sent: nothing is decoded but the names of a query. */
export interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Pairs;
  /** The values of a header, by its lower-case name, each as often as it came; undefined when it is absent. */
  lines(name: string): readonly string[] | undefined;
}

/**
 * Reads one parameter: taken apart as its style says, its texts made values of its type.
 * @param undeclared Names in the query that nobody declares.
 * @returns undefined when the parameter is absent.
 * @throws {ValueProblem} when it cannot be read.
 */
export function readParameter(
  parameter: ParameterDescriptor,
  value: StyledValue,
  request: RawRequest,
  undeclared: readonly string[],
): unknown {
  const wire = readWireValue(parameter, value, request, undeclared);
  if (wire === undefined) return undefined;
  const read = toPlainValue(wire, value.type);
  const [only, ...others] = request.query.get(value.name) ?? [];
  const empty = parameter.in === "query" && only === "" && others.length === 0;
  // https://spec.openapis.org/oas/v3.1.1#parameter-allow-empty-value
  if (empty && parameter.allowEmptyValue !== true) throw new ValueProblem("must not be empty");
  return read;
}

function readWireValue(
  { in: place }: ParameterDescriptor,
  value: StyledValue,
  request: RawRequest,
  undeclared: readonly string[],
): WireValue | undefined {
  switch (place) {
    case "path": {
      const text = request.path[value.name];
      return text === undefined ? undefined : readText(text, value, decodePercent);
    }
    case "query":
      return readPairs(request.query, value, { decode: decodeQueryText, undeclared });
    case "header": {
      // A list may come in several lines (RFC 9110, section 5.3). Headers are not percent-encoded.
      const text = request.lines(value.name.toLowerCase())?.join(",");
      if (text === undefined) return undefined;
      return readText(text, value, (part) => part.trim());
    }
    case "cookie": {
      const one = typeof value.type === "string" || !value.explode;
      const cookies = parseCookies(request.lines("cookie")?.join(";"), one ? ";" : /[;&]/);
      return readPairs(cookies, value, { decode: decodePercent, undeclared: [] });
    }
  }
}
