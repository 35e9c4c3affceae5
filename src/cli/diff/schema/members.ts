import { join } from "./conjunction.js";
import { ANYTHING, type Conjunction, type ObjectShape } from "./shape.js";
import { matches } from "./values.js";

/** What a property of an object may be, whether it is declared or not. */
export function schemaOf(shape: ObjectShape, name: string): Conjunction {
  return shape.properties.get(name) ?? undeclaredSchemaOf(shape, name);
}

/** What a property may be that is not declared: of the patterns that its name matches, else what the rest may be. */
export function undeclaredSchemaOf({ patterns, rest }: ObjectShape, name: string): Conjunction {
  const matching = [...patterns].filter(([pattern]) => matches(pattern, name) === true);
  if (matching.length === 0) return rest;
  return matching.reduce<Conjunction>((all, [, schema]) => join(all, schema), ANYTHING);
}
