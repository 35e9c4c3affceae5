import type { Schema } from "tenon/core/schema";

const derived = new WeakMap<object, Map<string, Schema>>();

/**
 * Derives a schema from another one or from a part of a contract, the same one each time: contracts are compared twice, and schemas
 * are known by identity.
 * @param name The way in which it is derived.
 */
export function derive(source: object, name: string, make: () => Schema): Schema {
  const known = derived.get(source) ?? new Map<string, Schema>();
  derived.set(source, known);
  const made = known.get(name) ?? make();
  known.set(name, made);
  return made;
}
