import { toMediaKind } from "../media-type.js";
import { type Allowed, findAllowed, unlessCircular } from "./allowed-kinds.js";
import { toPlainTypes, toUnion } from "./build-value-type.js";
import type { NamedSchema, Schema, ValueType } from "./model.js";

export interface UnstyledType {
  readonly type: ValueType;
  /** Why all of it is JSON where its author may not expect it. */
  readonly problem?: string;
}

/**
 * Builds what a form's field without a style is read as: a plain value, JSON for an object, and for an array each of its
 * items as a value of its own.
 * @param mediaTypes What the field is stated to be; only JSON changes anything.
 * @see https://spec.openapis.org/oas/v3.1.1#encoding-content-type
 */
export function buildUnstyledType(
  schema: Schema,
  mediaTypes: readonly string[],
  schemas: ReadonlyMap<string, NamedSchema>,
): UnstyledType {
  const allowed = findAllowed(schema, schemas);
  if (allowed === undefined) return { type: isJson(mediaTypes) ? "json" : "string" };
  const { array, object } = allowed;
  const plain = toPlainTypes(allowed);
  const others = plain.some((type) => type !== "null");
  if (isJson(mediaTypes)) return { type: array && !object && !others ? { items: "json" } : "json" };
  const item = array && unlessCircular(() => toItemType(array.items()), "json");
  if (object === undefined && (item !== "json" || !others))
    return { type: toUnion([...plain, ...(item === undefined ? [] : [{ items: item }])]) };
  if (array === undefined && !others) return { type: "json" };
  return { type: "json", problem: "its text does not tell whether it is an object or something else" };
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
