import type { NamedSchema, Property, Schema } from "tenon/core/legacy/model";

/**
 * Whose eyes see a value. `request`: a handler's, after validation, so that what has a default is present and what is
 * readOnly is absent. `response`: whoever writes a response, so that what is writeOnly is absent and a default changes nothing.
 */
export type View = "request" | "response";

export interface Views {
  /** Components whose request view is another type than their response view. */
  readonly split: ReadonlySet<string>;
  /**
   * Components that occur, at any depth, in a member of `oneOf` or `anyOf`. There the validator applies no defaults:
   * a member that does not match in the end must leave no trace.
   * @see https://ajv.js.org/guide/modifying-data.html#assigning-defaults
   */
  readonly alternatives: ReadonlySet<string>;
}

export function isPresent(
  { schema }: Property,
  view: View,
  schemas: ReadonlyMap<string, NamedSchema>,
): boolean {
  const absent = view === "request" ? "readOnly" : "writeOnly";
  return !isMarked(schema, absent, schemas);
}

export function findViews(schemas: ReadonlyMap<string, NamedSchema>, used: readonly Schema[]): Views {
  const alternatives = findAlternatives(schemas, used);
  const split = new Set<string>();
  // A component differs when what it refers to does: repeat until no more are found.
  let size: number;
  do {
    size = split.size;
    for (const { name, schema } of schemas.values()) {
      if (isSplit(schema, alternatives.has(name))) split.add(name);
    }
  } while (split.size > size);
  return { split, alternatives };

  function isSplit(schema: Schema, alternative: boolean): boolean {
    if (schema.reference !== undefined && split.has(schema.reference)) return true;
    const own = schema.properties?.some(
      (property) =>
        !isPresent(property, "request", schemas) ||
        !isPresent(property, "response", schemas) ||
        (property.schema.hasDefault && !property.required && !alternative),
    );
    return (
      own === true ||
      parts(schema).some((part) => isSplit(part, alternative)) ||
      choices(schema).some((choice) => isSplit(choice, true))
    );
  }
}

function findAlternatives(
  schemas: ReadonlyMap<string, NamedSchema>,
  used: readonly Schema[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: Schema, alternative: boolean) => {
    const target = schema.reference === undefined ? undefined : schemas.get(schema.reference);
    if (alternative && target !== undefined && !found.has(target.name)) {
      found.add(target.name);
      visit(target.schema, true);
    }
    for (const part of parts(schema)) visit(part, alternative);
    for (const choice of choices(schema)) visit(choice, true);
  };
  for (const { schema } of schemas.values()) visit(schema, false);
  for (const schema of used) visit(schema, false);
  return found;
}

function isMarked(
  schema: Schema,
  key: "readOnly" | "writeOnly",
  schemas: ReadonlyMap<string, NamedSchema>,
): boolean {
  if (schema[key] === true) return true;
  const target = schema.reference === undefined ? undefined : schemas.get(schema.reference);
  return target !== undefined && isMarked(target.schema, key, schemas);
}

function parts(schema: Schema): readonly Schema[] {
  return [
    ...(schema.properties ?? []).map((property) => property.schema),
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.prefixItems ?? []),
    ...(schema.allOf ?? []),
  ];
}

function choices(schema: Schema): readonly Schema[] {
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
}
