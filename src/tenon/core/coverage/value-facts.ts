import { isNode } from "../document/node.js";
import { isSame, type JsonType, type Schema, type Side, typeOf } from "../schema/index.js";

/** A property of values that tests should cover. */
export interface ValueFact {
  /** Pointer of the keyword, relative to the schema: `/enum/0`, `/maxLength`. */
  readonly keyword: string;
  /** `"sold"`, `maximum 100`. */
  readonly title: string;
  readonly holds: (value: unknown) => boolean;
}

/**
 * Lists the values of a schema that tests should cover: each value of an enum, each type of several, null; in requests also the
 * values at each limit, which a handler must accept.
 */
export function findFacts(schema: Schema, side: Side): readonly ValueFact[] {
  return [...findEnum(schema), ...findTypes(schema), ...(side === "request" ? findLimits(schema) : [])];
}

function findEnum({ enum: values = [] }: Schema): readonly ValueFact[] {
  return values.map((one, index) => ({
    keyword: `/enum/${index}`,
    title: JSON.stringify(one),
    holds: (value) => isSame(value, one),
  }));
}

function findTypes({ type = [] }: Schema): readonly ValueFact[] {
  if (type.length < 2 && type[0] !== "null") return [];
  return type.map((one, index) => ({
    keyword: `/type/${index}`,
    title: one === "null" ? "null" : `type ${one}`,
    holds: (value) => isOfType(value, one),
  }));
}

/** The size that each limit applies to. The length of a text is in characters, as JSON Schema counts them. */
const SIZES: readonly (readonly [keyof Schema, (value: unknown) => number | undefined])[] = [
  ["minLength", sizeOfText],
  ["maxLength", sizeOfText],
  ["minItems", sizeOfArray],
  ["maxItems", sizeOfArray],
  ["minProperties", sizeOfObject],
  ["maxProperties", sizeOfObject],
];

function findLimits(schema: Schema): readonly ValueFact[] {
  const sizes = SIZES.flatMap(([keyword, measure]): readonly ValueFact[] => {
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

/** @param inward The direction from the bound to the values within it. */
function findBounds(schema: Schema, bound: "minimum" | "maximum", inward: 1 | -1): readonly ValueFact[] {
  const exclusive = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  const { [bound]: limit, [exclusive]: excluded, type } = schema;
  const toFact = (keyword: string, from: number, at: number): ValueFact => ({
    keyword: `/${keyword}`,
    title: `${keyword} ${from}`,
    holds: (value) => value === at,
  });
  return [
    ...(typeof limit === "number" ? [toFact(bound, limit, limit)] : []),
    // Only integers have a nearest value to an exclusive bound.
    ...(typeof excluded === "number" && type?.includes("integer") === true
      ? [toFact(exclusive, excluded, excluded + inward)]
      : []),
  ];
}

function sizeOfText(value: unknown): number | undefined {
  return typeof value === "string" ? Array.from(value).length : undefined;
}

function sizeOfArray(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function sizeOfObject(value: unknown): number | undefined {
  return isNode(value) ? Object.keys(value).length : undefined;
}

export function isOfType(value: unknown, type: JsonType): boolean {
  const actual = typeOf(value);
  return actual === type || (actual === "integer" && type === "number");
}
