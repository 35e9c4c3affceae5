import type { NamedSchema, Schema } from "./model.js";

type Schemas = ReadonlyMap<string, NamedSchema>;

/**
 * Tells whether a multipart form's field is a file: its schema says bytes or, in 3.1, nothing at all. An array of them is
 * `files`, and whether null is allowed too changes nothing.
 * @see https://spec.openapis.org/oas/v3.1.0#special-considerations-for-multipart-content
 */
export function findFileType(schema: Schema, schemas: Schemas): "file" | "files" | undefined {
  const value = lookThrough(schema, schemas);
  if (isFile(value)) return "file";
  const isArray = value.types?.join() === "array";
  return isArray && isFile(lookThrough(value.items ?? {}, schemas)) ? "files" : undefined;
}

/** Follows references, the `allOf` of one that 3.0 puts around a reference to describe it, and a choice of one beside null. */
function lookThrough(schema: Schema, schemas: Schemas, seen = new Set<Schema>()): Schema {
  if (schema.types !== undefined || schema.binary === true || seen.has(schema)) return schema;
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference)?.schema;
  const parts = [...(schema.allOf ?? []), ...withoutNull(schema.anyOf ?? schema.oneOf ?? [])];
  const [single, ...others] = target === undefined ? parts : [target];
  if (single === undefined || others.length > 0) return schema;
  return lookThrough(single, schemas, new Set(seen).add(schema));
}

/** The choices among which null is none. */
export function withoutNull(choices: readonly Schema[]): readonly Schema[] {
  return choices.filter(({ types, nullable }) => !(types?.length === 0 && nullable === true));
}

function isFile({
  binary,
  types,
  enum: values,
  properties,
  reference,
  allOf,
  oneOf,
  anyOf,
}: Schema): boolean {
  return (
    binary === true || (types ?? values ?? properties ?? reference ?? allOf ?? oneOf ?? anyOf) === undefined
  );
}
