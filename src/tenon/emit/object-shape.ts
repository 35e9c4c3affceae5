import type { NamedSchema, Property, Schema } from "../contract/model.js";

/** A schema that is an object and nothing else, so that an interface can say it. */
export interface ObjectShape {
  /** Components whose interfaces this one extends. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  readonly additionalProperties?: Schema | undefined;
}

/**
 * Reads a schema as the members of one interface: its own properties, those of inline `allOf` members, and the components
 * among `allOf` as bases.
 * @returns undefined when an interface cannot say it: unions, nullable objects, a property that is declared twice.
 */
export function toShape(schema: Schema, schemas: ReadonlyMap<string, NamedSchema>): ObjectShape | undefined {
  if (!isObject(schema)) return undefined;
  const bases: string[] = [];
  const properties = [...(schema.properties ?? [])];
  for (const part of schema.allOf ?? []) {
    if (part.reference !== undefined) {
      bases.push(part.reference);
      continue;
    }
    const shape = toShape(part, schemas);
    if (shape === undefined || shape.additionalProperties !== undefined) return undefined;
    bases.push(...shape.bases);
    properties.push(...shape.properties);
  }
  const shape = { bases, properties, additionalProperties: schema.additionalProperties };
  const names = collectNames(shape, schemas);
  if (names === undefined) return undefined;
  return new Set(names).size === names.length ? shape : undefined;
}

function isObject(schema: Schema): boolean {
  const { types, nullable, reference, oneOf, anyOf, requiredElsewhere, never } = schema;
  const more = nullable ?? reference ?? schema.enum ?? oneOf ?? anyOf ?? requiredElsewhere ?? never;
  if (more !== undefined) return false;
  return types === undefined ? (schema.properties ?? schema.allOf) !== undefined : types.join() === "object";
}

/** Every property name, inherited ones included; undefined when a base is no interface. */
function collectNames(
  shape: ObjectShape,
  schemas: ReadonlyMap<string, NamedSchema>,
): readonly string[] | undefined {
  const names = shape.properties.map(({ name }) => name);
  for (const base of shape.bases) {
    const target = schemas.get(base);
    const inherited = target && toShape(target.schema, schemas);
    // An index signature would have to hold for the properties that are added to it.
    if (inherited === undefined || inherited.additionalProperties !== undefined) return undefined;
    const inheritedNames = collectNames(inherited, schemas);
    if (inheritedNames === undefined) return undefined;
    names.push(...inheritedNames);
  }
  return names;
}
