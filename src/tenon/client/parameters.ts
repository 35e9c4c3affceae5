import type { ClientOperation, WrittenStyle } from "./contract.js";
import {
  isObject,
  refuse,
  type StyledParameter,
  toPlainText,
  writeJson,
  writeText,
} from "./parameter-text.js";

/** Values of parameters by place and name, as a call has them. Those that are undefined are not sent. */
export interface ParameterValues {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
}

type Pair = readonly [name: string, text: string];

export interface WrittenParameters {
  /** The path template with its values: `/pets/7`. */
  readonly path: string;
  /** Encoded: `["limit", "10"]`. */
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly cookies: readonly Pair[];
}

/**
 * Writes parameters as their styles say.
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
  const present = (place: keyof ParameterValues) => of(place).filter(({ value }) => !isEmpty(value));
  return {
    path: fill(template, of("path")),
    query: present("query").flatMap(({ parameter, value }) => writePairs(parameter, value)),
    headers: present("header").map(({ parameter, value }) => [parameter.name, writeText(parameter, value)]),
    cookies: present("cookie").flatMap(({ parameter, value }) => writePairs(parameter, value)),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.1#parameter-style */
function toStyled(place: keyof ParameterValues, name: string, written: WrittenStyle = {}): StyledParameter {
  const { style = place === "path" || place === "header" ? "simple" : "form" } = written;
  return { name, in: place, style, explode: written.explode ?? style === "form" };
}

/** Without members, a list or object is not there (RFC 6570, section 2.3), except in a path, which needs all its parts. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every((property) => property === undefined);
}

interface Given {
  readonly parameter: StyledParameter;
  readonly value: unknown;
}

function fill(template: string, given: readonly Given[]): string {
  const texts = new Map(given.map(({ parameter, value }) => [parameter.name, { parameter, value }]));
  return template
    .split("/")
    .map((segment) => {
      // Of the template's own text, these would begin a fragment or a query.
      const filled = segment.replaceAll(/\{([^{}]+)\}|[#?]/g, (expression, name: string | undefined) => {
        if (name === undefined) return encodeURIComponent(expression);
        const found = texts.get(name);
        return found === undefined ? expression : writeText(found.parameter, found.value);
      });
      // A URL does not keep such segments (https://url.spec.whatwg.org/#double-dot-path-segment).
      if (filled !== segment && /^(?:(?:\.|%2e){1,2})?$/i.test(filled)) {
        const name = /\{([^{}]+)\}/.exec(segment)?.[1] ?? "";
        refuse(
          { name, in: "path", style: "simple", explode: false },
          `a path cannot have "${filled}" as a part`,
        );
      }
      return filled;
    })
    .join("/");
}

/** Values that have the parameter's name, or those of an object's properties. Encoded, as those of a query are. */
export function writePairs(parameter: StyledParameter, value: unknown): readonly Pair[] {
  const { name, style, explode } = parameter;
  const key = encodeName(parameter, name);
  if (style === "json") return [[key, writeJson(parameter, value)]];
  if (style === "deepObject") return writeDeep(parameter, name, value);
  if (!explode) return [[key, writeText(parameter, value)]];
  if (!isObject(value)) return writeValues(parameter, key, value);
  return Object.entries(value).flatMap(([property, part]) =>
    part === undefined ? [] : writeValues(parameter, encodeName(parameter, property), part),
  );
}

/** A value under its name; each item of an array under it again. */
function writeValues(parameter: StyledParameter, key: string, value: unknown): readonly Pair[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && value.length === 1 && value[0] === "")
    refuse(parameter, "a list of one empty text is read as an empty list");
  return values.map((item) => [key, encodeURIComponent(toPlainText(parameter, item))]);
}

/** `filter[age][min]=1`. Beyond the specification, objects in objects and the items of arrays by index: `items[0][price]=1`. */
function writeDeep(parameter: StyledParameter, key: string, value: unknown): readonly Pair[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => writeDeep(parameter, `${key}[${index}]`, item));
  if (!isObject(value)) return writeValues(parameter, encodeURIComponent(key), value);
  return Object.entries(value).flatMap(([property, part]) => {
    if (/[[\]]/.test(property)) refuse(parameter, "the names of its properties cannot have brackets");
    return part === undefined ? [] : writeDeep(parameter, `${key}[${property}]`, part);
  });
}

/** Names of cookies are not encoded (RFC 6265, section 4.1.1). */
function encodeName({ in: place }: StyledParameter, name: string): string {
  return place === "cookie" ? name : encodeURIComponent(name);
}
