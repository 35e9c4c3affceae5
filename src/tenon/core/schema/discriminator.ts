import type { SchemaRegistry } from "./registry.js";
import type { Schema } from "./schema.js";

/** Which alternative of a `oneOf` or `anyOf` a value is of, by the value of one property. */
export interface Discriminator {
  readonly keyword: "oneOf" | "anyOf";
  readonly propertyName: string;
  /** In the order of the alternatives. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly reference: string;
  /** Values of the property that stand for the choice; no other choice has them. */
  readonly values: readonly unknown[];
  /** The choice's own schema allows these values and no more. */
  readonly declared: boolean;
}

/**
 * Reads the discriminator of a schema: `mapping` by reference or by bare name, else the component's own name. Where the
 * choice's schema itself says what the property holds (`enum`, `const`), it wins. Types and validators both use the result, so
 * that a type promises nothing that the validator does not enforce.
 * @returns undefined when the values do not distinguish the choices: one without a name, two with the same value, a property
 *   that one side never has.
 * @see https://spec.openapis.org/oas/v3.1.0#discriminator-object
 */
export function findDiscriminator(schema: Schema, registry: SchemaRegistry): Discriminator | undefined {
  const { discriminator, oneOf, anyOf } = schema;
  const members = oneOf ?? anyOf;
  if (discriminator === undefined || members === undefined) return undefined;
  const { propertyName, mapping } = discriminator;
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
    choices.push({ reference, values, declared: allowed?.size === values.length });
  }
  return { keyword: oneOf ? "oneOf" : "anyOf", propertyName, choices };
}

/** What the discriminator says as far as the schema allows it; what the schema says where they disagree. */
function toValues(wanted: readonly unknown[], allowed: ReadonlySet<unknown> | undefined): readonly unknown[] {
  if (allowed === undefined) return wanted;
  const both = wanted.filter((value) => allowed.has(value));
  return both.length > 0 ? both : [...allowed];
}

type Values = ReadonlySet<unknown> | "absent" | undefined;

/**
 * Values that a property may have by its own `enum`, in the schema or in what it is made of.
 * @returns undefined when any is allowed, `"absent"` when it is readOnly or writeOnly, so that one side never has it.
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
