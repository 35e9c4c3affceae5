import { isRange, toMediaKind } from "../http/media-type.js";
import { type Allowed, findAllowed, unlessCircular } from "./allowed-kinds.js";
import { toPlainTypes, toUnion } from "./build-value-type.js";
import type { NamedSchema, Schema, ValueType } from "./model.js";

export interface UnstyledType {
  readonly type: ValueType;
  /** Why all of it is JSON where its author may not expect it, and what to do about it. */
  readonly problem?: { readonly reason: string; readonly hint: string };
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
  const unread = (object !== undefined || item === "json") && findUnread(mediaTypes);
  const problem = unread && { problem: unread };
  if (object === undefined && (item !== "json" || !others))
    return { type: toUnion([...plain, ...(item === undefined ? [] : [{ items: item }])]), ...problem };
  if (problem || (array === undefined && !others)) return { type: "json", ...problem };
  const reason = "its text does not tell whether it is an object or something else";
  const hint = "Give it the style deepObject under `encoding`, whose names tell which";
  return { type: "json", problem: { reason, hint } };
}

/** JSON is all that is read as an object, whatever a field is stated to be. */
function findUnread(mediaTypes: readonly string[]): UnstyledType["problem"] | false {
  if (mediaTypes.length === 0 || mediaTypes.some((name) => isRange(name) || isJson([name]))) return false;
  const reason = `nothing else reads ${mediaTypes.join(" or ")} as an object`;
  return { reason, hint: "Declare it as a string, and read its text in the handler" };
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
