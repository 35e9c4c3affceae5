import type { SchemaRegistry } from "./registry.js";
import type { Schema } from "./schema.js";

/** Selects the alternative of a `oneOf` or `anyOf` by the value of one property. */
export interface Discriminator {
  readonly keyword: "oneOf" | "anyOf";
  readonly propertyName: string;
  /** In the order of the alternatives. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly reference: string;
  /** Values of the property that select this choice and no other. */
  readonly values: readonly unknown[];
  /** True if the choice's own schema allows exactly these values, or if other values select it too. */
  readonly declared: boolean;
  /** True for the choice of values without the property, or with a value that selects no other: `defaultMapping`. */
  readonly isDefault: boolean;
}

/**
 * Reads the discriminator of a schema: `mapping` by reference or by bare name, otherwise the component's own name. If the
 * choice's schema lists the values of the property (`enum`, `const`), that list takes precedence. Types and validators both use
 * the result, so that a type promises nothing that the validator does not enforce.
 * @returns undefined if the values do not identify a choice: one has no name, two have the same value, or the property is missing
 *   in requests or responses.
 * @see https://spec.openapis.org/oas/v3.2.0#discriminator-object
 */
export function findDiscriminator(schema: Schema, registry: SchemaRegistry): Discriminator | undefined {
  const { discriminator, oneOf, anyOf } = schema;
  const members = oneOf ?? anyOf;
  if (discriminator === undefined || members === undefined) return undefined;
  const { propertyName, mapping, defaultMapping } = discriminator;
  const choices: Choice[] = [];
  const taken = new Set<unknown>();
  for (const { reference } of members) {
    const name = reference === undefined ? undefined : registry.nameOf(reference);
    if (reference === undefined || name === undefined) return undefined;
    const allowed = findValues(registry.get(reference), propertyName, registry, new Set());
    if (allowed === "absent") return undefined;
    const mapped = mapping.filter(([, target]) => target === reference).map(([value]) => value);
    const values = toValues(mapped.length > 0 ? mapped : [name], allowed);
    if (values.some((value) => taken.has(value))) return undefined;
    for (const value of values) taken.add(value);
    const isDefault = reference === defaultMapping;
    choices.push({ reference, values, declared: isDefault || allowed?.size === values.length, isDefault });
  }
  return { keyword: oneOf ? "oneOf" : "anyOf", propertyName, choices };
}

/** Returns the discriminator's values that the schema allows; if it allows none of them, the schema's values. */
function toValues(wanted: readonly unknown[], allowed: ReadonlySet<unknown> | undefined): readonly unknown[] {
  if (allowed === undefined) return wanted;
  const both = wanted.filter((value) => allowed.has(value));
  return both.length > 0 ? both : [...allowed];
}

type Values = ReadonlySet<unknown> | "absent" | undefined;

/**
 * Finds the values that the `enum` of a property allows, in the schema or in its parts.
 * @returns undefined when any value is allowed; `"absent"` when the property is readOnly or writeOnly, so that requests or
 *   responses never have it.
 */
function findValues(schema: Schema, name: string, registry: SchemaRegistry, seen: Set<Schema>): Values {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const find = (part: Schema) => findValues(part, name, registry, seen);
  const { properties = {}, reference, allOf = [], oneOf, anyOf } = schema;
  const own = Object.hasOwn(properties, name) ? valuesOf(properties[name], registry) : undefined;
  const parts = [...allOf, ...(reference === undefined ? [] : [registry.get(reference)])].map(find);
  const choices = (oneOf ?? anyOf ?? []).map(find);
  const found = [own, ...parts].filter((values) => values !== undefined);
  if (found.includes("absent") || choices.includes("absent")) return "absent";
  const narrow = found as ReadonlySet<unknown>[];
  if (choices.length > 0 && !choices.includes(undefined))
    narrow.push(new Set((choices as ReadonlySet<unknown>[]).flatMap((values) => [...values])));
  const [first, ...others] = narrow;
  return first && new Set([...first].filter((value) => others.every((values) => values.has(value))));
}

function valuesOf(property: Schema | undefined, registry: SchemaRegistry): Values {
  if (property === undefined) return undefined;
  if (property.readOnly === true || property.writeOnly === true) return "absent";
  if (property.enum) return new Set(property.enum);
  if (property.reference !== undefined) return valuesOf(registry.get(property.reference), registry);
  const [only, ...more] = property.allOf ?? [];
  return more.length === 0 ? valuesOf(only, registry) : undefined;
}
