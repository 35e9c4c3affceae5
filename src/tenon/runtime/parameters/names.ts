import type { Parameter } from "../../core/model/index.js";
import type { Pairs } from "../../core/parameters/pairs.js";
import { getDeepKeys, type ParsedValue } from "../../core/parameters/styles/index.js";
import { explodesByDefault } from "../../core/parameters/style.js";
import { isObjectType } from "../../core/parameters/value-type.js";
import type { ValidationProblem } from "../errors/validation-problems.js";

/** Which names on the wire belong to the values of a query or form. */
export interface WireNames {
  /** The value that a name is declared for: `filter` for `filter[age]`. */
  readonly findOwner: (name: string) => ParsedValue | undefined;
  /** True when a value accepts undeclared names: an exploded object with additional properties. */
  readonly takesUndeclared: boolean;
}

export function createWireNames(values: readonly ParsedValue[]): WireNames {
  const owners = new Map(values.flatMap((value) => toNames(value).map((name) => [name, value] as const)));
  const deepObjects = values.filter(({ style }) => style === "deepObject");
  return {
    findOwner: (name) =>
      owners.get(name) ?? deepObjects.find((value) => getDeepKeys(name, value.name) !== undefined),
    takesUndeclared: values.some(
      (value) =>
        isExplodedObject(value) && isObjectType(value.type) && value.type.additionalProperties !== undefined,
    ),
  };
}

function toNames(value: ParsedValue): readonly string[] {
  const { name, type } = value;
  return isExplodedObject(value) && isObjectType(type) ? Object.keys(type.properties ?? {}) : [name];
}

const NO_NAMES: readonly string[] = [];

/** The names that are not declared, without those that are known otherwise. */
export function findUndeclared(
  pairs: Pairs,
  { findOwner }: WireNames,
  known: ReadonlySet<string> = NOTHING_KNOWN,
): readonly string[] {
  let found: string[] | undefined;
  for (const name of pairs.keys())
    if (findOwner(name) === undefined && !known.has(name)) (found ??= []).push(name);
  return found ?? NO_NAMES;
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/** True when a value is sent under the names of its properties instead of its own: `R=100&G=200`. */
export function isExplodedObject({ style, explode, type }: ParsedValue): boolean {
  const inPairs = explodesByDefault(style) || style === "spaceDelimited" || style === "pipeDelimited";
  return inPairs && explode && isObjectType(type);
}

/**
 * Names a value, or something in it, as its caller wrote it: `filter[age]` for `age` in `filter`, and `age` when the
 * object's properties are on the wire by themselves.
 */
export function nameInside(value: ParsedValue, path: readonly string[]): string {
  return isExplodedObject(value) && path.length > 0 ? bracket(path) : bracket([value.name, ...path]);
}

/** `["items", "0", "price"]` is `items[0][price]`. */
export function bracket([name = "", ...inner]: readonly string[]): string {
  return `${name}${inner.map((key) => `[${key}]`).join("")}`;
}

const LOCATIONS = {
  path: "Path parameter",
  query: "Query parameter",
  header: "Header",
  cookie: "Cookie",
} as const;

/** Says where a parameter is, or something in it; the subject is as its caller wrote it: `Query parameter "filter[age]"`. */
export function locateValue(parameter: Parameter, path: readonly string[]): Omit<ValidationProblem, "text"> {
  if (parameter.in === "querystring") {
    const inside = parameter.form
      ? `Query parameter "${bracket(path)}"`
      : `Field "${path.join("/")}" of the query`;
    return { in: "query", path, subject: path.length === 0 ? "The query" : inside };
  }
  const subject = `${LOCATIONS[parameter.in]} "${nameInside(parameter, path)}"`;
  return { in: parameter.in, path: [parameter.name, ...path], subject };
}
