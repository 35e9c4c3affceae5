import type { FieldEncoding, MediaType, NamedSchema, Property, Schema } from "../contract/model.js";
import { toMediaKind } from "../media-type.js";

type Schemas = ReadonlyMap<string, NamedSchema>;

/** A property of a form's schema, and how it is written on the wire. */
export interface Field {
  readonly property: Property;
  readonly type: "string" | "integer" | "number" | "boolean" | "json" | "file";
  readonly array: boolean;
  readonly encoding: FieldEncoding;
}

/** Reads the properties of a form, those of references and `allOf` included, as the fields that are sent. */
export function toFields({ name, schema, encoding }: MediaType, schemas: Schemas): readonly Field[] {
  const properties = new Map(collectProperties(schema, schemas).map((property) => [property.name, property]));
  const isMultipart = toMediaKind(name) === "multipart";
  return [...properties.values()].map((property) => {
    const own = encoding?.get(property.name) ?? { mediaTypes: [] };
    const value = lookThrough(property.schema, schemas);
    const array = value.types?.join() === "array";
    const item = array ? lookThrough(value.items ?? {}, schemas) : value;
    return { property, type: toType(item, own, isMultipart), array, encoding: own };
  });
}

function collectProperties(schema: Schema, schemas: Schemas): readonly Property[] {
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference);
  return [
    ...(target ? collectProperties(target.schema, schemas) : []),
    ...(schema.allOf ?? []).flatMap((part) => collectProperties(part, schemas)),
    ...(schema.properties ?? []),
  ];
}

/** Follows references, and an `allOf` of one, which 3.0 contracts put around a reference to describe it. */
function lookThrough(schema: Schema, schemas: Schemas): Schema {
  if (schema.types !== undefined) return schema;
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference)?.schema;
  const [single, ...others] = schema.allOf ?? [];
  const next = target ?? (others.length === 0 ? single : undefined);
  return next === undefined ? schema : lookThrough(next, schemas);
}

/**
 * A part is a file where its schema says bytes or, in 3.1, nothing at all; an object is JSON.
 * @see https://spec.openapis.org/oas/v3.1.0#special-considerations-for-multipart-content
 */
function toType(schema: Schema, { mediaTypes }: FieldEncoding, isMultipart: boolean): Field["type"] {
  const [type, ...others] = schema.types ?? [];
  if (isMultipart && (schema.binary === true || isAnything(schema))) return "file";
  const isJson = mediaTypes.length > 0 && mediaTypes.every((name) => toMediaKind(name) === "json");
  if (isJson || type === "object" || type === "array" || schema.properties !== undefined) return "json";
  if (others.length > 0 || type === undefined || type === "null") return "string";
  return type;
}

function isAnything({ types, enum: values, properties, reference, allOf, oneOf, anyOf }: Schema): boolean {
  return (types ?? values ?? properties ?? reference ?? allOf ?? oneOf ?? anyOf) === undefined;
}
