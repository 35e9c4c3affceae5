import { type DocumentContext } from "./document.js";
import { joinPointer } from "../document/pointer.js";
import type { NamedSchema, Schema } from "./model.js";

/**
 * Reports schemas that consist of themselves, such as `A: { anyOf: [{ $ref: A }, …] }`: no value of theirs can be told, and
 * TypeScript refuses them as circular type aliases. A circle through a property or an array's items is fine.
 */
export function reportSchemaCircles(schemas: readonly NamedSchema[], { report }: DocumentContext): void {
  const byName = new Map(schemas.map((named) => [named.name, named.schema]));
  for (const { name } of schemas) {
    const reached = new Set<string>();
    const pending = constituents(byName.get(name));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(...constituents(byName.get(next)));
    }
    if (reached.has(name)) {
      const message = `Schema "${name}" refers to itself with no object or array in between`;
      report("schema-circular", joinPointer("#/components/schemas", name), message);
    }
  }
}

/** Components that a value of the schema is itself a value of. */
function constituents(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [...(schema.reference === undefined ? [] : [schema.reference]), ...parts.flatMap(constituents)];
}
