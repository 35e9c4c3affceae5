import { otherProperties, type Schema, type SchemaRegistry } from "tenon/core/schema";

/** A member of an object, as its schema declares it. */
export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** A schema that only allows objects and can be expressed as an interface. */
export interface ObjectShape {
  /** References of the components whose interfaces it extends. */
  readonly bases: readonly string[];
  readonly properties: readonly Property[];
  readonly additionalProperties?: Schema | undefined;
}

interface NamedShape extends ObjectShape {
  /** Every property, including inherited ones. */
  readonly names: readonly string[];
}

export function listProperties({ properties = {}, required = [] }: Schema): readonly Property[] {
  const names = new Set(required);
  return Object.entries(properties).map(([name, schema]) => ({ name, required: names.has(name), schema }));
}

/** Lists required names that the schema itself does not declare, but for example a member of `allOf`. */
export function listRequiredElsewhere({ properties = {}, required = [] }: Schema): readonly string[] {
  return [...new Set(required)].filter((name) => !Object.hasOwn(properties, name));
}

/**
 * Reads a schema as the members of one interface: its own properties, those of inline `allOf` members, and the components
 * among `allOf` as bases.
 * @returns undefined if an interface cannot express it: a union, an object or null, or a property that is declared twice.
 */
export function toShape(schema: Schema, registry: SchemaRegistry): NamedShape | undefined {
  if (!isObject(schema)) return undefined;
  const bases: string[] = [];
  const properties = [...listProperties(schema)];
  const names = properties.map(({ name }) => name);
  for (const part of schema.allOf ?? []) {
    const { reference } = part;
    const isBase = reference !== undefined && registry.nameOf(reference) !== undefined;
    // The siblings of a reference add to the interface that it refers to.
    if (reference !== undefined && Object.keys(part).some((key) => key !== "pointer" && key !== "reference"))
      return undefined;
    const shape = toShape(reference === undefined ? part : registry.get(reference), registry);
    // An index signature would have to include the properties that are added to it.
    if (shape === undefined || shape.additionalProperties !== undefined) return undefined;
    names.push(...shape.names);
    if (isBase) bases.push(reference);
    else {
      bases.push(...shape.bases);
      properties.push(...shape.properties);
    }
  }
  if (new Set(names).size < names.length) return undefined;
  return { bases, properties, additionalProperties: otherProperties(schema), names };
}

function isObject(schema: Schema): boolean {
  const { type, reference, oneOf, anyOf, never } = schema;
  const more = reference ?? schema.enum ?? oneOf ?? anyOf ?? never;
  if (more !== undefined || listRequiredElsewhere(schema).length > 0) return false;
  return type === undefined ? schema.allOf !== undefined : type.join() === "object";
}
