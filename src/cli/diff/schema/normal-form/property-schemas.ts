import { ANYTHING, type Conjunction, join } from "./conjunction.js";
import type { ObjectShape } from "./shape.js";
import { matches } from "./values.js";

/** The schema of a property, declared or not. */
export function schemaOf(shape: ObjectShape, name: string): Conjunction {
  return shape.properties.get(name) ?? undeclaredSchemaOf(shape, name);
}

/** The schema of an undeclared property: of the patterns that its name matches, else of all other properties. */
export function undeclaredSchemaOf({ patterns, rest }: ObjectShape, name: string): Conjunction {
  const matching = [...patterns].filter(([pattern]) => matches(pattern, name) === true);
  if (matching.length === 0) return rest;
  return matching.reduce<Conjunction>((all, [, schema]) => join(all, schema), ANYTHING);
}
