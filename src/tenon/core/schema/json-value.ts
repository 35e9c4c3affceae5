import { isNode } from "../document/node.js";

/** Types of JSON values, with JSON Schema's names: every `integer` is a `number`. */
export type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** Returns the most specific type of a JSON value: 1 is an `integer`. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return typeof value as JsonType;
}

/** Tests whether two JSON values are equal; the order of members does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isNode(a) || !isNode(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}
