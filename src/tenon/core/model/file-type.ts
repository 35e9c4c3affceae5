import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";

/**
 * Tells whether a multipart form's field is a file: its schema says bytes or, in 3.1, nothing at all. An array of them is
 * `files`, and whether null is allowed too changes nothing.
 * @see https://spec.openapis.org/oas/v3.1.0#special-considerations-for-multipart-content
 */
export function findFileType(schema: Schema, registry: SchemaRegistry): "file" | "files" | undefined {
  const value = lookThrough(schema, registry);
  if (isFile(value)) return "file";
  const isArray = withoutNull(value.type ?? []).join() === "array";
  return isArray && isFile(lookThrough(value.items ?? { pointer: "" }, registry)) ? "files" : undefined;
}

/**
 * Whether a string is bytes, which a form carries as a file. OpenAPI 3.0 says `format: binary`; 3.1 describes bytes by
 * `contentMediaType`, and text that holds them by `contentEncoding`.
 */
export function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === "binary" || (typeof contentMediaType === "string" && contentEncoding === undefined);
}

/** Follows references, the `allOf` of one that 3.0 puts around a reference to describe it, and a choice of one beside null. */
function lookThrough(schema: Schema, registry: SchemaRegistry, seen = new Set<Schema>()): Schema {
  if (schema.type !== undefined || isBinary(schema) || seen.has(schema)) return schema;
  const target = schema.reference === undefined ? undefined : registry.get(schema.reference);
  const parts = [...(schema.allOf ?? []), ...withoutNullChoice(schema.anyOf ?? schema.oneOf ?? [])];
  const [single, ...others] = target === undefined ? parts : [target];
  if (single === undefined || others.length > 0) return schema;
  return lookThrough(single, registry, new Set(seen).add(schema));
}

/** The alternatives that are more than null. */
export function withoutNullChoice(choices: readonly Schema[]): readonly Schema[] {
  return choices.filter(({ type }) => type?.join() !== "null");
}

function withoutNull(types: readonly string[]): readonly string[] {
  return types.filter((type) => type !== "null");
}

function isFile(schema: Schema): boolean {
  return isBinary(schema) || DESCRIBING.every((key) => schema[key] === undefined);
}

const DESCRIBING = ["type", "enum", "properties", "reference", "allOf", "oneOf", "anyOf"] as const;
