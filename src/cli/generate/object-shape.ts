import type { NamedSchema, Property, Schema } from "tenon/core/legacy/model";

/** A schema that is an object and nothing else, so that an interface can say it. */
export interface ObjectShape {
  /** Components whose interfaces this one extends. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  readonly additionalProperties?: Schema | undefined;
}

interface NamedShape extends ObjectShape {
  /** Every property, inherited ones included. */
  readonly names: readonly string[];
}

/**
 * Reads a schema as the members of one interface: its own properties, those of inline `allOf` members, and the components
 * among `allOf` as bases.
 * @returns undefined when an interface cannot say it: unions, nullable objects, a property that is declared twice.
 */
export function toShape(schema: Schema, schemas: ReadonlyMap<string, NamedSchema>): NamedShape | undefined {
  if (!isObject(schema)) return undefined;
  const bases: string[] = [];
  const properties = [...(schema.properties ?? [])];
  const names = properties.map(({ name }) => name);
  for (const part of schema.allOf ?? []) {
    const target = part.reference === undefined ? part : schemas.get(part.reference)?.schema;
    // A reference with siblings says more than the interface that it refers to.
    if (part.reference !== undefined && Object.keys(part).length > 1) return undefined;
    const shape = target && toShape(target, schemas);
    // An index signature would have to hold for the properties that are added to it.
    if (shape === undefined || shape.additionalProperties !== undefined) return undefined;
    names.push(...shape.names);
    if (part.reference === undefined) {
      bases.push(...shape.bases);
      properties.push(...shape.properties);
    } else {
      bases.push(part.reference);
    }
  }
  if (new Set(names).size < names.length) return undefined;
  return { bases, properties, additionalProperties: schema.additionalProperties, names };
}

function isObject(schema: Schema): boolean {
  const { types, nullable, reference, oneOf, anyOf, requiredElsewhere, never } = schema;
  const more = nullable ?? reference ?? schema.enum ?? oneOf ?? anyOf ?? requiredElsewhere ?? never;
  if (more !== undefined) return false;
  return types === undefined ? (schema.properties ?? schema.allOf) !== undefined : types.join() === "object";
}
