import { type Operation, type Parameter, toParameterKey } from "../../core/model/index.js";
import { HttpError } from "../errors/http-error.js";
import { createWireNames, findUndeclared, isExplodedObject, locateValue } from "./names.js";
import { readEach, throwProblems } from "./read-each.js";
import {
  decodePercent,
  decodeQueryText,
  type Pairs,
  parseCookies,
  parsePairs,
} from "../../core/parameters/pairs.js";
import { isExploded, parseFromPairs, parseText } from "../../core/parameters/styles/index.js";
import { createPlainReader, toTypedValue, type WireValue } from "../../core/parameters/text-value.js";
import { ValueProblem } from "../../core/parameters/value-problem.js";

/**
 * Reads an operation's parameters from a request.
 * @returns values by `toParameterKey`; absent parameters are left out.
 * @throws {HttpError} `invalid_parameter` or `malformed_request`, naming each parameter that cannot be read and each that is
 *   not declared.
 */
export type ParameterReader = (request: RawRequest) => Record<string, unknown>;

export interface ParameterReaderOptions {
  /** Names in the query that carry credentials: they are not parameters, and known. Default: none. */
  readonly apiKeys?: readonly string[];
  /** Treatment of undeclared query parameters, unless the operation states it. Default: `refuse`. */
  readonly undeclaredQuery?: "refuse" | "ignore" | undefined;
  /** Creates the reader of a parameter `in: querystring`, which may be a form. Default: such a parameter is absent. */
  readonly createQuerystringReader?: (
    parameter: Parameter,
    credentials: ReadonlySet<string>,
  ) => PlainParameterReader;
}

export function createParameterReader(
  { parameters, allowsUndeclaredQuery }: Pick<Operation, "parameters" | "allowsUndeclaredQuery">,
  { apiKeys = [], undeclaredQuery = "refuse", createQuerystringReader }: ParameterReaderOptions = {},
): ParameterReader {
  const credentials = new Set(apiKeys);
  const all = parameters.map((parameter) => ({
    parameter,
    key: toParameterKey(parameter),
    readPlain: createPlainParameterReader(parameter),
    readQuerystring:
      parameter.in === "querystring" ? createQuerystringReader?.(parameter, credentials) : undefined,
  }));
  const names = createWireNames(parameters.filter((parameter) => parameter.in === "query"));
  const takesUndeclared =
    names.takesUndeclared ||
    // Its schema says what may be in the query.
    parameters.some((parameter) => parameter.in === "querystring") ||
    (allowsUndeclaredQuery ?? undeclaredQuery === "ignore");

  return (request) => {
    const undeclared = findUndeclared(request.query, names, credentials);
    const { values, problems } = readEach(all, {
      read: ({ parameter, readPlain, readQuerystring }) =>
        readQuerystring
          ? readQuerystring(request)
          : (readPlain?.(request) ?? readParameter(parameter, request, undeclared)),
      toKey: ({ key }) => key,
      locate: ({ parameter }, path) => locateValue(parameter, path),
    });
    if (problems.length + undeclared.length === 0) return values;
    const unknown = (takesUndeclared ? [] : undeclared).map((name) => ({
      in: "query" as const,
      path: [name],
      subject: `Query parameter "${name}"`,
      text: "is unknown",
      isMalformed: false,
    }));
    throwProblems([...problems, ...unknown]);
    return values;
  };
}

/** The parts of a request that have parameters. Only the names of the query are decoded. */
export interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Pairs;
  /** The query as it was sent, without `?`. */
  readonly search: string;
  /** The values of a header, by its lower-case name, each as often as it came; undefined when it is absent. */
  lines(name: string): readonly string[] | undefined;
}

/**
 * Reads one parameter: parsed as its style says, its texts made values of its type.
 * @param undeclared Names in the query that are not declared.
 * @returns undefined when the parameter is absent.
 * @throws {ValueProblem} when it cannot be read.
 */
export function readParameter(
  parameter: Parameter,
  request: RawRequest,
  undeclared: readonly string[],
): unknown {
  const wire = readWireValue(parameter, request, undeclared);
  if (wire === undefined) return undefined;
  const value = toTypedValue(wire, parameter.type);
  // The name of an exploded object may be that of one of its properties, which may be empty.
  const [only, ...others] = isExplodedObject(parameter) ? [] : (request.query.get(parameter.name) ?? []);
  const isEmpty = parameter.in === "query" && only === "" && others.length === 0;
  // https://spec.openapis.org/oas/v3.1.1#parameter-allow-empty-value
  if (isEmpty && !parameter.allowEmptyValue) throw new ValueProblem("must not be empty");
  return value;
}

function readWireValue(
  parameter: Parameter,
  request: RawRequest,
  undeclared: readonly string[],
): WireValue | undefined {
  const { name, in: location } = parameter;
  switch (location) {
    case "path": {
      const text = request.path[name];
      return text === undefined ? undefined : parseText(text, parameter, decodePercent);
    }
    case "query":
      return parseFromPairs(request.query, parameter, decodeQueryText, undeclared);
    case "header": {
      // A list may come in several lines (RFC 9110, section 5.3). Headers are not percent-encoded.
      const key = name.toLowerCase();
      const text = request.lines(key)?.join(",");
      const decode = key === "last-event-id" ? decodeUtf8 : (part: string) => part;
      return text === undefined ? undefined : parseText(text, parameter, (part) => decode(part.trim()));
    }
    case "querystring":
      return undefined;
    case "cookie": {
      const header = request.lines("cookie")?.join(";");
      if (parameter.style === "cookie")
        return parseFromPairs(parseCookies(header, ";", true), parameter, (text) => text);
      // Exploded arrays and objects may be joined with "&"; in any other value it is a character.
      const cookies = parseCookies(header, isExploded(parameter) ? /[;&]/ : ";");
      return parseFromPairs(cookies, parameter, decodePercent);
    }
  }
}

/**
 * Decodes a header that clients encode in UTF-8. Node passes each byte as a character.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#last-event-id
 */
function decodeUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}

/**
 * Reads a parameter that is sent as one text of one plain type.
 * @returns undefined when the parameter is absent, and where {@link readParameter} refuses it with a reason.
 * @throws {ValueProblem} for a bad percent-escape.
 */
export type PlainParameterReader = (request: RawRequest) => unknown;

/**
 * A fast path for plain parameters, which nearly all are; {@link readParameter} reads all styles and types.
 * @returns undefined for any other parameter.
 */
export function createPlainParameterReader({
  in: location,
  name,
  style,
  type,
}: Parameter): PlainParameterReader | undefined {
  if (typeof type !== "string" || type === "json") return undefined;
  const read = createPlainReader(type);
  if (location === "path" && style === "simple") {
    return ({ path }) => {
      const text = path[name];
      return text === undefined ? undefined : read(decodePercent(text));
    };
  }
  if (location === "query" && style === "form") {
    return ({ query }) => {
      const texts = query.get(name);
      if (texts?.length !== 1) return undefined;
      const [text = ""] = texts;
      return text === "" ? undefined : read(decodeQueryText(text));
    };
  }
  return undefined;
}

/**
 * Parses a query, or a form that is written as one.
 * @param subject Subject of the message. Default: `The query`.
 * @throws {HttpError} `malformed_request` for a name with a bad percent-escape or one that is not UTF-8.
 */
export function parseQuery(text: string, subject = "The query"): Pairs {
  try {
    return parsePairs(text);
  } catch (cause) {
    if (!(cause instanceof ValueProblem)) throw cause;
    throw new HttpError("malformed_request", { message: `${subject} has a bad percent-escape`, cause });
  }
}
