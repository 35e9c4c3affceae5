import { withoutNull } from "./file-type.js";
import type { NamedSchema, Property, Schema } from "./model.js";

/** The properties that a form may have. */
export interface FormShape {
  readonly properties: readonly Property[];
  /** Of the others; absent where the schema says nothing of them, or that there are none. */
  readonly additionalProperties?: Schema;
}

/**
 * Finds the properties of an object, those of references, `allOf`, `oneOf` and `anyOf` included. What only some of the
 * alternatives require is optional.
 */
export function findFormShape(schema: Schema, schemas: ReadonlyMap<string, NamedSchema>): FormShape {
  return find(schema, schemas, new Set());
}

function find(
  schema: Schema,
  schemas: ReadonlyMap<string, NamedSchema>,
  seen: ReadonlySet<Schema>,
): FormShape {
  if (seen.has(schema)) return { properties: [] };
  const inside = (part: Schema) => find(part, schemas, new Set(seen).add(schema));
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference);
  const parts = [
    ...(target ? [inside(target.schema)] : []),
    ...(schema.allOf ?? []).map(inside),
    toOwnShape(schema),
    ...[schema.oneOf, schema.anyOf].flatMap((choices) =>
      choices ? [choose(withoutNull(choices).map(inside))] : [],
    ),
  ];
  const elsewhere = new Set(schema.requiredElsewhere);
  const properties = collect(parts).map(({ name, schemas: declared, required }): Property => {
    const [only = {}, ...others] = declared;
    return {
      name,
      required: required > 0 || elsewhere.has(name),
      schema: others.length === 0 ? only : { ...describe(declared), allOf: declared },
    };
  });
  const additionalProperties = parts.find((part) => part.additionalProperties)?.additionalProperties;
  return { properties, ...(additionalProperties && { additionalProperties }) };
}

function toOwnShape({ properties = [], additionalProperties }: Schema): FormShape {
  const hasOthers = additionalProperties !== undefined && additionalProperties.never !== true;
  return { properties, ...(hasOthers && { additionalProperties }) };
}

/** As alternatives, whose defaults the validator does not apply. */
function choose(choices: readonly FormShape[]): FormShape {
  return {
    properties: collect(choices).map(({ name, schemas, required }) => ({
      name,
      required: required === choices.length,
      schema: { ...describe(schemas), anyOf: schemas },
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
  /** How many of the shapes require it. */
  readonly required: number;
}

function collect(shapes: readonly FormShape[]): readonly Collected[] {
  const byName = new Map<string, Collected>();
  for (const { name, required, schema } of shapes.flatMap(({ properties }) => properties)) {
    const earlier = byName.get(name) ?? { name, schemas: [], required: 0 };
    byName.set(name, {
      name,
      schemas: [...earlier.schemas, schema],
      required: earlier.required + (required ? 1 : 0),
    });
  }
  return [...byName.values()];
}
