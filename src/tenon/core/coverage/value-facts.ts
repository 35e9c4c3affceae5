import type { Node } from "../legacy/document.js";
import { isNode as isObject } from "../document/node.js";
import { isSame } from "../schema/json-value.js";

/** Who sends a value: a caller in a request, or the service in a response. */
export type Side = "request" | "response";

/** Something about a value that its schema makes worth trying. */
export interface ValueFact {
  /** Where the schema says so, relative to it: `/enum/0`, `/maxLength`. */
  readonly keyword: string;
  /** `"sold"`, `maximum 100`. */
  readonly title: string;
  readonly holds: (value: unknown) => boolean;
}

/**
 * What of a schema's values is worth trying: each value of an enum, each type of a list of types, null; and in requests the
 * values just at each limit, because a handler has to cope with those.
 */
export function findFacts(schema: Node, side: Side): readonly ValueFact[] {
  return [...findEnum(schema), ...findTypes(schema), ...(side === "request" ? findLimits(schema) : [])];
}

function findEnum(schema: Node): readonly ValueFact[] {
  const values: readonly unknown[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return values.map((one, index) => ({
    keyword: `/enum/${index}`,
    title: JSON.stringify(one),
    holds: (value) => isSame(value, one),
  }));
}

function findTypes({ type, nullable }: Node): readonly ValueFact[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [];
  const listed = types.map((one, index): ValueFact => ({
    keyword: `/type/${index}`,
    title: one === "null" ? "null" : `type ${String(one)}`,
    holds: (value) => isOfType(value, one),
  }));
  const isNull = (value: unknown) => value === null;
  return nullable === true ? [...listed, { keyword: "/nullable", title: "null", holds: isNull }] : listed;
}

/** Each limit with what it measures; the size of a text is in characters, as JSON Schema counts them. */
const SIZES: Readonly<Record<string, (value: unknown) => number | undefined>> = {
  minLength: sizeOfText,
  maxLength: sizeOfText,
  minItems: sizeOfArray,
  maxItems: sizeOfArray,
  minProperties: sizeOfObject,
  maxProperties: sizeOfObject,
};

function findLimits(schema: Node): readonly ValueFact[] {
  const sizes = Object.entries(SIZES).flatMap(([keyword, measure]): readonly ValueFact[] => {
    const limit = schema[keyword];
    if (typeof limit !== "number") return [];
    return [
      {
        keyword: `/${keyword}`,
        title: `${keyword} ${limit}`,
        holds: (value) => measure(value) === limit,
      },
    ];
  });
  return [...sizes, ...findBounds(schema, "minimum", 1), ...findBounds(schema, "maximum", -1)];
}

/** @param inward The direction from the bound to what is within it. */
function findBounds(schema: Node, bound: "minimum" | "maximum", inward: 1 | -1): readonly ValueFact[] {
  const exclusive = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  const { [bound]: limit, [exclusive]: excluded } = schema;
  const isInteger = [schema["type"]].flat().includes("integer");
  // Of numbers there is none that is next to a bound that is excluded.
  const next = (from: number): number | undefined => (isInteger ? from + inward : undefined);
  const toFact = (keyword: string, from: number, at: number | undefined): readonly ValueFact[] =>
    at === undefined
      ? []
      : [{ keyword: `/${keyword}`, title: `${keyword} ${from}`, holds: (value) => value === at }];
  return [
    ...(typeof limit === "number" ? toFact(bound, limit, excluded === true ? next(limit) : limit) : []),
    ...(typeof excluded === "number" ? toFact(exclusive, excluded, next(excluded)) : []),
  ];
}

function sizeOfText(value: unknown): number | undefined {
  return typeof value === "string" ? Array.from(value).length : undefined;
}

function sizeOfArray(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function sizeOfObject(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** @param type As JSON Schema names it; of anything else it is not known, and every value may be of it. */
export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}
