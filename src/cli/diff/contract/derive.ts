import type { Schema } from "tenon/core/schema";

const derived = new WeakMap<Schema, Map<string, Schema>>();

/**
 * Derives a schema from another one, the same one each time: contracts are compared twice, and schemas are known by identity.
 * @param name The way in which it is derived.
 */
export function derive(schema: Schema, name: string, make: () => Schema): Schema {
  const known = derived.get(schema) ?? new Map<string, Schema>();
  derived.set(schema, known);
  const made = known.get(name) ?? make();
  known.set(name, made);
  return made;
}
