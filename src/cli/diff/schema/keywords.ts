import { isNode, type Located, type Node, toArray, toStrings } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { impliedType } from "tenon/core/schema/implied-type";
import { toConjunction } from "./conjunction.js";
import { readFormats } from "./formats.js";
import {
  ANYTHING,
  type Bound,
  type Conjunction,
  createShape,
  type Kind,
  KINDS,
  type Shape,
} from "./shape.js";

/** Which types a schema names, in either dialect. */
export interface Types {
  readonly kinds: readonly Kind[];
  /** Numbers without a fraction only. */
  readonly integer: boolean;
  readonly null: boolean;
}

/** `type`, or what a schema without one means: whoever describes properties means an object. */
export function readTypes(node: Node, dialect30: boolean): Types {
  const stated = typeof node["type"] === "string" ? [node["type"]] : toStrings(node["type"]);
  const implied = impliedType(node);
  const types = implied === undefined ? stated : [implied];
  const nullable = dialect30 && node["nullable"] === true;
  if (types.length === 0) return { kinds: KINDS, integer: false, null: true };
  const kinds = KINDS.filter(
    (kind) => types.includes(kind) || (kind === "number" && types.includes("integer")),
  );
  return {
    kinds,
    integer: types.includes("integer") && !types.includes("number"),
    null: types.includes("null") || nullable,
  };
}

/** Adds to every value of a kind what the schema's own keywords ask of it. Compositions are not looked at. */
export function readShape(kind: Kind, { node, pointer }: Located, dialect30: boolean): Shape {
  const shape = createShape(kind, [{ node, pointer }]);
  const count = (key: string, otherwise: number) => toNumber(node[key]) ?? otherwise;
  switch (shape.kind) {
    case "boolean":
      return shape;
    case "number": {
      const step = toNumber(node["multipleOf"]);
      return {
        ...shape,
        ...readBounds(node, dialect30),
        multiples: step === undefined || step <= 0 ? [] : [step],
        formats: readFormats(node),
      };
    }
    case "string": {
      const pattern = node["pattern"];
      return {
        ...shape,
        minLength: count("minLength", 0),
        maxLength: count("maxLength", Infinity),
        patterns: typeof pattern === "string" ? [pattern] : [],
        formats: readFormats(node),
      };
    }
    case "array":
      return {
        ...shape,
        minItems: count("minItems", 0),
        maxItems: count("maxItems", Infinity),
        unique: node["uniqueItems"] === true,
        prefix: toArray(node["prefixItems"]).map((item, index) =>
          toSchema(item, joinPointer(pointer, "prefixItems", index)),
        ),
        rest: readSchema({ node, pointer }, "items"),
      };
    case "object":
      return {
        ...shape,
        properties: readSchemas({ node, pointer }, "properties"),
        required: new Set(toStrings(node["required"])),
        patterns: readSchemas({ node, pointer }, "patternProperties"),
        rest: readSchema({ node, pointer }, "additionalProperties"),
        minProperties: count("minProperties", 0),
        maxProperties: count("maxProperties", Infinity),
      };
  }
}

function readSchemas({ node, pointer }: Located, key: string): ReadonlyMap<string, Conjunction> {
  const schemas = getOwn(node, key);
  return new Map(
    Object.entries(isNode(schemas) ? schemas : {}).map(([name, schema]) => [
      name,
      toSchema(schema, joinPointer(pointer, key, name)),
    ]),
  );
}

export function readSchema({ node, pointer }: Located, key: string): Conjunction {
  return toSchema(getOwn(node, key), joinPointer(pointer, key));
}

/** A schema as it is written: `true`, what is none and nothing at all have any value. */
export function toSchema(value: unknown, pointer: string): Conjunction {
  if (value === false) return toConjunction([false]);
  return isNode(value) ? toConjunction([{ node: value, pointer }]) : ANYTHING;
}

function readBounds(node: Node, dialect30: boolean): { minimum?: Bound; maximum?: Bound } {
  const minimum = readBound(node, "minimum", "exclusiveMinimum", dialect30);
  const maximum = readBound(node, "maximum", "exclusiveMaximum", dialect30);
  return { ...(minimum && { minimum }), ...(maximum && { maximum }) };
}

/** 3.0 has a boolean beside the bound, 3.1 a bound of its own. */
function readBound(node: Node, key: string, exclusiveKey: string, dialect30: boolean): Bound | undefined {
  const value = toNumber(node[key]);
  if (dialect30) return value === undefined ? undefined : { value, exclusive: node[exclusiveKey] === true };
  const excluded = toNumber(node[exclusiveKey]);
  if (excluded === undefined) return value === undefined ? undefined : { value, exclusive: false };
  const isWeaker = value !== undefined && (key === "minimum" ? value > excluded : value < excluded);
  return isWeaker ? { value, exclusive: false } : { value: excluded, exclusive: true };
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
