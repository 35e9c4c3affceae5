import { isNode } from "../core/document/node.js";
import { defaultStyle, explodesByDefault } from "../core/parameters/style.js";
import {
  formatAsPairs,
  formatText,
  type FormattedValue,
  refuse,
  type TextPair,
} from "../core/parameters/styles/index.js";
import type { ClientOperation, WrittenStyle } from "./contract.js";
import { toFields } from "./request-body.js";

/** Values of parameters by place and name, as a call has them. Those that are undefined are not sent. */
export interface ParameterValues {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** The whole query, under the name of its parameter. */
  readonly querystring?: Readonly<Record<string, unknown>> | undefined;
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly cookie?: Readonly<Record<string, unknown>> | undefined;
}

export interface WrittenParameters {
  /** The path template with its values: `/pets/7`. */
  readonly path: string;
  /** Encoded: `["limit", "10"]`; one text if the query is not made of pairs. */
  readonly query: readonly (TextPair | readonly [text: string])[];
  readonly headers: readonly TextPair[];
  readonly cookies: readonly TextPair[];
}

/**
 * Formats parameters as their styles say.
 * @throws {TypeError} for a value that its style cannot say, and for one that would change which path is called.
 */
export function writeParameters(
  template: string,
  values: ParameterValues,
  { parameters = {} }: Pick<ClientOperation, "parameters">,
): WrittenParameters {
  const of = (place: keyof ParameterValues) =>
    Object.entries(values[place] ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ parameter: toStyled(place, name, parameters[`${place}/${name}`]), value }));
  const present = (place: keyof ParameterValues) =>
    of(place).filter(({ parameter, value }) => parameter.style === "json" || !isEmpty(value));
  return {
    path: fill(template, of("path")),
    query: [
      ...present("query").flatMap(({ parameter, value }) => formatAsPairs(parameter, value)),
      ...of("querystring").flatMap(({ parameter, value }) =>
        toQuery(parameter, value, parameters[`querystring/${parameter.name}`]?.fields),
      ),
    ],
    headers: present("header").map(({ parameter, value }) => [parameter.name, formatText(parameter, value)]),
    cookies: present("cookie").flatMap(({ parameter, value }) => formatAsPairs(parameter, value)),
  };
}

/** Formats a value that is the whole query: the fields of a form, JSON, or text. */
function toQuery(
  parameter: FormattedValue,
  value: unknown,
  fields: WrittenStyle["fields"],
): WrittenParameters["query"] {
  if (fields === undefined) return [[formatText(parameter, value)]];
  // A string is a query that the caller has formatted.
  if (typeof value === "string") return [[value]];
  if (!isNode(value)) return refuse(parameter, "it must be an object or a text");
  return toFields(value, fields).map(([name, text]) => [
    name,
    typeof text === "string" ? text : refuse(parameter, "a query cannot have bytes"),
  ]);
}

/** @see https://spec.openapis.org/oas/v3.1.1#parameter-style */
function toStyled(place: keyof ParameterValues, name: string, written: WrittenStyle = {}): FormattedValue {
  const { style = defaultStyle(place) } = written;
  const { explode = explodesByDefault(style), allowReserved } = written;
  return { name, in: place, style, explode, allowReserved };
}

/** An empty list or object is not sent (RFC 6570, section 2.3), except as JSON and in a path, which needs all its parts. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isNode(value) && Object.values(value).every((property) => property === undefined);
}

const PATH = { in: "path", style: "simple", explode: false } as const;

interface Given {
  readonly parameter: FormattedValue;
  readonly value: unknown;
}

function fill(template: string, given: readonly Given[]): string {
  const texts = new Map(given.map(({ parameter, value }) => [parameter.name, { parameter, value }]));
  return template
    .split("/")
    .map((segment) => {
      // In the template's own text, `#` and `?` would start a fragment or a query.
      const filled = segment.replaceAll(/\{([^{}]+)\}|[#?]/g, (expression, name: string | undefined) => {
        if (name === undefined) return encodeURIComponent(expression);
        const found = texts.get(name);
        if (found === undefined) return refuse({ ...PATH, name }, "it is missing");
        return formatText(found.parameter, found.value);
      });
      // A URL does not keep such segments (https://url.spec.whatwg.org/#double-dot-path-segment).
      if (filled !== segment && /^(?:(?:\.|%2e){1,2})?$/i.test(filled)) {
        const name = /\{([^{}]+)\}/.exec(segment)?.[1] ?? "";
        refuse({ ...PATH, name }, `a path cannot have "${filled}" as a part`);
      }
      return filled;
    })
    .join("/");
}
