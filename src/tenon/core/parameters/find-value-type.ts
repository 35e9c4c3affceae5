import { isRange, toMediaKind } from "../http/media-type.js";
import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import {
  type Allowed,
  type AllowedObject,
  type AllowedTypes,
  findAllowed,
  unlessCircular,
} from "./allowed-types.js";
import {
  type ArrayType,
  findJsonType,
  type JsonType,
  type ObjectType,
  PLAIN_TYPES,
  type PlainType,
  type ValueType,
} from "./value-type.js";

/**
 * Finds the type that a text is converted to. If any type is allowed, a text stays a string.
 * `{ type: array, items: { enum: [1, "all"] } }` becomes `{ items: ["integer", "string"] }`.
 *
 * An object has its declared properties, and others if it declares `additionalProperties` or no properties at all.
 * @throws {CircularSchemaError} when the schema contains itself.
 */
export function findValueType(schema: Schema, registry: SchemaRegistry): ValueType {
  return toValueType(findAllowed(schema, registry));
}

function toValueType(allowed: Allowed): ValueType {
  if (allowed === undefined) return "string";
  const { array, object } = allowed;
  const plain = toPlainTypes(allowed);
  // An object cannot be written as null; a caller omits it instead.
  if (object && array === undefined && plain.every((type) => type === "null")) return toObjectType(object);
  return toUnion([
    ...plain,
    ...(array ? [{ items: toValueType(array.items()) }] : []),
    ...(object ? [toObjectType(object)] : []),
  ]);
}

/**
 * Finds the type of a value whose style cannot represent all its types: objects and arrays are JSON, other values are plain text.
 * If only null is allowed besides, the whole value is JSON.
 */
export function findMixedType(schema: Schema, registry: SchemaRegistry): ValueType {
  const allowed = findAllowed(schema, registry);
  return allowed === undefined ? "json" : toMixedType(allowed);
}

/** @param item Type of the items of an array that is not JSON. */
function toMixedType(allowed: AllowedTypes, item?: ValueType): ValueType {
  const plain = toPlainTypes(allowed);
  if (plain.every((type) => type === "null")) return "json";
  const json: JsonType["json"] = [
    ...(allowed.object ? (["object"] as const) : []),
    ...(allowed.array && item === undefined ? (["array"] as const) : []),
  ];
  return [...plain, ...(item === undefined ? [] : [{ items: item }]), ...(json.length > 0 ? [{ json }] : [])];
}

/** Describes which texts of a type are JSON: `read as JSON`, or `read as JSON if it starts with "{"`. */
export function describeJson(type: ValueType): string {
  const starts = findJsonType(type)?.json.map((one) => (one === "object" ? '"{"' : '"["'));
  return `read as JSON${starts === undefined ? "" : ` if it starts with ${starts.join(" or ")}`}`;
}

/** Lists the allowed plain types, without those that others include. */
function toPlainTypes({ plain }: AllowedTypes): readonly PlainType[] {
  return PLAIN_TYPES.filter(
    (type) => plain.includes(type) && !(type === "integer" && plain.includes("number")),
  );
}

/** Returns a single type instead of a list of one. Without any type, a text stays a string and the schema refuses it. */
function toUnion(alternatives: readonly (PlainType | ArrayType | ObjectType)[]): ValueType {
  const [only = "string", ...more] = alternatives;
  return more.length === 0 ? only : alternatives;
}

function toObjectType({ properties, others }: AllowedObject): ObjectType {
  const declared = [...properties].map(([name, value]): [string, ValueType] => [name, toValueType(value())]);
  const open = others ?? (declared.length === 0 ? { value: () => undefined } : "none");
  return {
    ...(declared.length > 0 && { properties: Object.fromEntries(declared) }),
    ...(open !== "none" && { additionalProperties: toValueType(open.value()) }),
  };
}

export interface UnstyledType {
  readonly type: ValueType;
  /** Reason why the value is JSON although its author may not expect it, and what to do next. */
  readonly problem?: { readonly reason: string; readonly hint: string };
}

/**
 * Finds the type of a form's field without a style: a plain value, JSON for an object, and for an array one value per item.
 * @param mediaTypes Declared media types of the field; only JSON has an effect.
 * @see https://spec.openapis.org/oas/v3.1.1#encoding-content-type
 */
export function findUnstyledType(
  schema: Schema,
  mediaTypes: readonly string[],
  registry: SchemaRegistry,
): UnstyledType {
  const allowed = findAllowed(schema, registry);
  if (allowed === undefined) return { type: isJson(mediaTypes) ? "json" : "string" };
  const { array, object } = allowed;
  const plain = toPlainTypes(allowed);
  const others = plain.some((type) => type !== "null");
  if (isJson(mediaTypes)) return { type: array && !object && !others ? { items: "json" } : "json" };
  const item = array && unlessCircular(() => toItemType(array.items()), "json");
  const unread = (object !== undefined || item === "json") && findUnread(mediaTypes);
  const problem = unread && { problem: unread };
  if (object === undefined && (item !== "json" || !others))
    return { type: toUnion([...plain, ...(item === undefined ? [] : [{ items: item }])]), ...problem };
  if (problem || (array === undefined && !others)) return { type: "json", ...problem };
  const type = toMixedType(allowed, item === "json" ? undefined : item);
  const reason = "its text does not show whether it is an object or another type";
  const hint = "Give it the style deepObject under `encoding`, whose names identify objects";
  return { type, problem: { reason, hint } };
}

/** Finds the problem of declared media types. Objects are always read as JSON. */
function findUnread(mediaTypes: readonly string[]): UnstyledType["problem"] | false {
  if (mediaTypes.length === 0 || mediaTypes.some((name) => isRange(name) || isJson([name]))) return false;
  const reason = `${mediaTypes.join(" or ")} cannot be read as an object`;
  return { reason, hint: "Declare it as a string, and parse its text in the handler" };
}

function isJson(mediaTypes: readonly string[]): boolean {
  return mediaTypes.length > 0 && mediaTypes.every((name) => toMediaKind(name) === "json");
}

function toItemType(allowed: Allowed): ValueType {
  if (allowed === undefined) return "string";
  return allowed.object !== undefined || allowed.array !== undefined
    ? "json"
    : toUnion(toPlainTypes(allowed));
}
