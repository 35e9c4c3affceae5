import type { SchemaRegistry } from "../schema/registry.js";
import { otherProperties, type Schema } from "../schema/schema.js";
import type { Form, MediaType } from "./content.js";

export interface FormProperty {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The properties that a form may have. */
export interface FormShape {
  readonly properties: readonly FormProperty[];
  /** Schema of all other properties; absent if the schema does not mention them or forbids them. */
  readonly others?: Schema;
}

/**
 * Finds the properties of an object, including those of references, `allOf`, `oneOf` and `anyOf`. A property that only some
 * alternatives require is optional.
 */
export function findFormShape(schema: Schema, registry: SchemaRegistry): FormShape {
  return find(schema, registry, new Set());
}

function find(schema: Schema, registry: SchemaRegistry, seen: ReadonlySet<Schema>): FormShape {
  if (seen.has(schema)) return { properties: [] };
  const inside = (part: Schema) => find(part, registry, new Set(seen).add(schema));
  const target = schema.reference === undefined ? [] : [registry.get(schema.reference)];
  const parts = [
    ...[...target, ...(schema.allOf ?? [])].map(inside),
    toOwnShape(schema),
    ...[schema.oneOf, schema.anyOf].flatMap((choices) =>
      choices ? [choose(withoutNullChoice(choices).map(inside), schema.pointer)] : [],
    ),
  ];
  const required = new Set(schema.required);
  const properties = collect(parts).map(({ name, schemas: declared, count }): FormProperty => {
    const [only = { pointer: schema.pointer }, ...more] = declared;
    return {
      name,
      required: count > 0 || required.has(name),
      schema: more.length === 0 ? only : { ...describe(declared), pointer: only.pointer, allOf: declared },
    };
  });
  const others = parts.find((part) => part.others)?.others;
  return { properties, ...(others && { others }) };
}

function toOwnShape(schema: Schema): FormShape {
  const { properties = {}, required = [] } = schema;
  const others = otherProperties(schema);
  return {
    properties: Object.entries(properties).map(([name, property]) => ({
      name,
      required: required.includes(name),
      schema: property,
    })),
    ...(others !== undefined && others.never !== true && { others }),
  };
}

/** Combines shapes as alternatives, whose defaults the validator does not apply. */
function choose(choices: readonly FormShape[], pointer: string): FormShape {
  return {
    properties: collect(choices).map(({ name, schemas, count }) => ({
      name,
      required: count === choices.length,
      schema: { ...describe(schemas), pointer, anyOf: schemas },
    })),
  };
}

function describe(schemas: readonly Schema[]): Pick<Schema, "description"> {
  const description = schemas.find((schema) => schema.description !== undefined)?.description;
  return description === undefined ? {} : { description };
}

interface Collected {
  readonly name: string;
  readonly schemas: readonly Schema[];
  /** Number of shapes that require the property. */
  readonly count: number;
}

function collect(shapes: readonly FormShape[]): readonly Collected[] {
  const byName = new Map<string, Collected>();
  for (const { name, required, schema } of shapes.flatMap(({ properties }) => properties)) {
    const earlier = byName.get(name) ?? { name, schemas: [], count: 0 };
    byName.set(name, {
      name,
      schemas: [...earlier.schemas, schema],
      count: earlier.count + (required ? 1 : 0),
    });
  }
  return [...byName.values()];
}

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
