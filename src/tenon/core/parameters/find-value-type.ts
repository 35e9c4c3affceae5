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
import { type ObjectType, PLAIN_TYPES, type PlainType, type ValueType } from "./value-type.js";

/**
 * Finds what a text, which has no types of its own, is read as. Where anything is allowed, a text stays a string.
 * `{ type: array, items: { enum: [1, "all"] } }` is read as `{ items: ["integer", "string"] }`.
 *
 * An object has the properties that it declares, and others when it declares `additionalProperties` or nothing at all.
 * @throws {CircularSchemaError} when the schema contains itself.
 */
export function findValueType(schema: Schema, registry: SchemaRegistry): ValueType {
  return toValueType(findAllowed(schema, registry));
}

function toValueType(allowed: Allowed): ValueType {
  if (allowed === undefined) return "string";
  const { array, object } = allowed;
  const plain = toPlainTypes(allowed);
  // An object alone cannot be written as null; a caller that means null leaves it out.
  if (object && array === undefined && plain.every((type) => type === "null")) return toObjectType(object);
  return toUnion([
    ...plain,
    ...(array ? [{ items: toValueType(array.items()) }] : []),
    ...(object ? [toObjectType(object)] : []),
  ]);
}

/** The plain types that are allowed, without those that others include. */
function toPlainTypes({ plain }: AllowedTypes): readonly PlainType[] {
  return PLAIN_TYPES.filter(
    (type) => plain.includes(type) && !(type === "integer" && plain.includes("number")),
  );
}

/** One type stays as it is. Where there is none, any text is read, and the schema refuses it. */
function toUnion(alternatives: Extract<ValueType, readonly unknown[]>): ValueType {
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
  /** Why all of it is JSON where its author may not expect it, and what to do about it. */
  readonly problem?: { readonly reason: string; readonly hint: string };
}

/**
 * Finds what a form's field without a style is read as: a plain value, JSON for an object, and for an array each of its items
 * as a value of its own.
 * @param mediaTypes What the field is stated to be; only JSON changes anything.
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
  const reason = "its text does not tell whether it is an object or something else";
  const hint = "Give it the style deepObject under `encoding`, whose names tell which";
  return { type: "json", problem: { reason, hint } };
}

/** Objects are read as JSON only, whatever a field is stated to be. */
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
