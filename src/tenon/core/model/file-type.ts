import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import type { Form, MediaType } from "./contract.js";

/**
 * Tests whether the field of a multipart form is a file: its schema describes bytes or, in 3.1, is empty. An array of files is
 * `files`. An additional null has no effect.
 * @see https://spec.openapis.org/oas/v3.1.0#special-considerations-for-multipart-content
 */
export function findFileType(schema: Schema, registry: SchemaRegistry): "file" | "files" | undefined {
  const value = lookThrough(schema, registry);
  if (isFile(value)) return "file";
  const isArray = withoutNull(value.type ?? []).join() === "array";
  return isArray && isFile(lookThrough(value.items ?? { pointer: "" }, registry)) ? "files" : undefined;
}

/**
 * Tests whether a string is bytes, which are a file in a form. OpenAPI 3.0 uses `format: binary`. In 3.1, `contentMediaType`
 * describes bytes; with `contentEncoding` it describes text.
 */
export function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === "binary" || (typeof contentMediaType === "string" && contentEncoding === undefined);
}

/** Follows references, an `allOf` with one member (in 3.0 it adds a description to a reference), and a choice of one schema or null. */
function lookThrough(schema: Schema, registry: SchemaRegistry, seen = new Set<Schema>()): Schema {
  if (schema.type !== undefined || isBinary(schema) || seen.has(schema)) return schema;
  const target = schema.reference === undefined ? undefined : registry.get(schema.reference);
  const parts = [...(schema.allOf ?? []), ...withoutNullChoice(schema.anyOf ?? schema.oneOf ?? [])];
  const [single, ...others] = target === undefined ? parts : [target];
  if (single === undefined || others.length > 0) return schema;
  return lookThrough(single, registry, new Set(seen).add(schema));
}

/** Lists the alternatives other than null. */
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

/** Returns true if a body is a form with at least one file. */
export function hasFiles(form: MediaType["form"]): form is Form {
  if (typeof form !== "object") return false;
  const types = [...form.fields.map(({ type }) => type), form.others];
  return types.some((type) => type === "file" || type === "files");
}
