import type { SchemaRegistry } from "./registry.js";
import type { Schema } from "./schema.js";

/** Least and greatest number of bytes of a body, a file or a part. */
export interface ByteSize {
  readonly min?: number;
  readonly max?: number;
}

/** Returns the schema of a file, or of each of several. */
export function toFileSchema(
  schema: Schema,
  type: "file" | "files",
  registry: SchemaRegistry,
): Schema | undefined {
  if (type === "file") return schema;
  return [...registry.parts(schema)].find(({ items }) => items !== undefined)?.items;
}

/**
 * Finds the size of bytes: `minLength` and `maxLength` of their schema, of its references and of the members of its `allOf`.
 * @returns undefined if the schema has no such limit.
 * @see https://spec.openapis.org/oas/v3.2.0#streaming-binary-data
 */
export function findByteSize(schema: Schema, registry: SchemaRegistry): ByteSize | undefined {
  const parts = [...registry.parts(schema)];
  const min = Math.max(...parts.map(({ minLength = 0 }) => minLength));
  const max = Math.min(...parts.map(({ maxLength = Infinity }) => maxLength));
  if (min === 0 && max === Infinity) return undefined;
  return { ...(min > 0 && { min }), ...(max < Infinity && { max }) };
}
