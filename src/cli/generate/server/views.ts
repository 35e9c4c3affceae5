import {
  findBesideNull,
  otherProperties,
  type Schema,
  type SchemaRegistry,
  type Side as View,
} from "tenon/core/schema";

/**
 * The message for which a type is emitted. `request`: the type that a handler gets after validation, with defaults applied and
 * without `readOnly` properties. `response`: the type that a handler sends, without `writeOnly` properties; defaults have no effect.
 */
export type { Side as View } from "tenon/core/schema";

export interface Views {
  /** References of the components whose types differ between requests and responses. */
  readonly split: ReadonlySet<string>;
  /**
   * References of the components that occur, at any depth, in a member of `oneOf` or `anyOf`. The validator does not apply defaults
   * there, because a member that does not match must not change the value. The alternative to null is an exception.
   * @see https://ajv.js.org/guide/modifying-data.html#assigning-defaults
   */
  readonly alternatives: ReadonlySet<string>;
}

/** A schema within another. In an alternative, defaults are not applied. */
export interface Part {
  readonly schema: Schema;
  readonly alternative: boolean;
}

/**
 * @param references References of the components.
 * @param used Schemas of requests.
 */
export function findViews(
  registry: SchemaRegistry,
  references: readonly string[],
  used: readonly Schema[],
): Views {
  const components = references.map((reference) => [reference, registry.get(reference)] as const);
  const alternatives = findAlternatives();
  const split = new Set<string>();
  // A component differs if one that it refers to does: repeat until no more are found.
  let size: number;
  do {
    size = split.size;
    for (const [reference, schema] of components)
      if (isSplit({ schema, alternative: alternatives.has(reference) })) split.add(reference);
  } while (split.size > size);
  return { split, alternatives };

  function isSplit(part: Part): boolean {
    const { schema, alternative } = part;
    if (schema.reference !== undefined && split.has(schema.reference)) return true;
    const { required = [], properties = {} } = schema;
    const own = Object.entries(properties).some(
      ([name, property]) =>
        (["request", "response"] as const).some((view: View) => registry.isAbsent(property, view)) ||
        ("default" in property && !required.includes(name) && !alternative),
    );
    return own || listParts(part, registry).some(isSplit);
  }

  function findAlternatives(): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (part: Part): void => {
      const { reference } = part.schema;
      if (part.alternative && reference !== undefined && !found.has(reference)) {
        found.add(reference);
        visit({ schema: registry.get(reference), alternative: true });
      }
      listParts(part, registry).forEach(visit);
    };
    for (const schema of [...components.map(([, component]) => component), ...used])
      visit({ schema, alternative: false });
    return found;
  }
}

/** Lists the schemas within a schema, except the components that it refers to. */
function listParts({ schema, alternative }: Part, registry: SchemaRegistry): readonly Part[] {
  const { reference, properties = {}, items, prefixItems = [], allOf = [] } = schema;
  const others = otherProperties(schema);
  const inlined =
    reference !== undefined && registry.nameOf(reference) === undefined ? [registry.get(reference)] : [];
  const parts = [
    ...Object.values(properties),
    ...(others ? [others] : []),
    ...(items ? [items] : []),
    ...prefixItems,
    ...allOf,
    ...inlined,
  ];
  return [
    ...parts.map((part) => ({ schema: part, alternative })),
    ...listChoices(schema, "oneOf", alternative),
    ...listChoices(schema, "anyOf", alternative),
  ];
}

/** Lists the members of `oneOf` or `anyOf`. If one of two alternatives is null, defaults are applied in the other. */
export function listChoices(schema: Schema, key: "oneOf" | "anyOf", outer: boolean): readonly Part[] {
  const rest = findBesideNull(schema, key);
  return (schema[key] ?? []).map((choice) => ({
    schema: choice,
    alternative: choice === rest ? outer : true,
  }));
}
