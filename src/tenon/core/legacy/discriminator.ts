/**
 * Discriminators, read once for both who emit types and who enforce them: without a shared reading, a handler's type would
 * promise what the validator does not hold. Works on schemas as the document has them.
 * @see https://spec.openapis.org/oas/v3.1.0#discriminator-object
 */

type Schema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, unknown>>;

const COMPONENTS = "#/components/schemas/";

export interface Discriminator {
  readonly propertyName: string;
  /** In the order of `oneOf` or `anyOf`. */
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
 * Reads the discriminator of a `oneOf` or `anyOf`: `mapping` by reference or by bare name, else the component's own name.
 * Where the choice's schema says itself what the property holds (`enum`, `const`), it is believed first.
 * @returns undefined when the values do not tell the choices apart: one without a name, two with the same value, a property
 *   that one side does not have.
 */
export function readDiscriminator(schema: Schema, schemas: Schemas): Discriminator | undefined {
  const { discriminator } = schema;
  if (!isSchema(discriminator) || typeof discriminator["propertyName"] !== "string") return undefined;
  const { propertyName } = discriminator;
  const members = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(members) || members.length === 0) return undefined;
  const mapping = readMapping(discriminator, schemas);

  const choices: Choice[] = [];
  const taken = new Set<unknown>();
  for (const member of members) {
    const name = isSchema(member) ? toComponentName(member["$ref"]) : undefined;
    if (name === undefined) return undefined;
    const allowed = readProperty(schemas[name], propertyName, schemas, new Set());
    if (allowed === "absent") return undefined;
    const mapped = mapping.filter(([, target]) => target === name).map(([value]) => value);
    const values = toValues(mapped.length > 0 ? mapped : [name], allowed);
    if (values.some((value) => taken.has(value))) return undefined;
    for (const value of values) taken.add(value);
    choices.push({
      reference: `${COMPONENTS}${toKey(name)}`,
      values,
      declared: allowed?.size === values.length,
    });
  }
  return { propertyName, choices };
}

/** What the discriminator says as far as the schema allows it; what the schema says where they disagree. */
function toValues(wanted: readonly unknown[], allowed: ReadonlySet<unknown> | undefined): readonly unknown[] {
  if (allowed === undefined) return wanted;
  const both = wanted.filter((value) => allowed.has(value));
  return both.length > 0 ? both : [...allowed];
}

/** The component that a reference leads to, when it leads to a whole one. */
export function toComponentName(reference: unknown): string | undefined {
  if (typeof reference !== "string" || !reference.startsWith(COMPONENTS)) return undefined;
  const key = reference.slice(COMPONENTS.length);
  return key.includes("/") ? undefined : fromKey(key);
}

/** Values to component names. A value of `mapping` is a reference, or the bare name of a component. */
function readMapping(discriminator: Schema, schemas: Schemas): readonly (readonly [string, string])[] {
  const { mapping } = discriminator;
  return Object.entries(isSchema(mapping) ? mapping : {}).flatMap(([value, target]) => {
    const name = toComponentName(target) ?? target;
    return typeof name === "string" && Object.hasOwn(schemas, name) ? [[value, name] as const] : [];
  });
}

/**
 * Values that a property may have by its own `enum` or `const`, in the schema or in what it is made of.
 * @returns undefined when any is allowed, `"absent"` when it is readOnly or writeOnly, so that one side never has it.
 */
function readProperty(
  schema: unknown,
  name: string,
  schemas: Schemas,
  seen: Set<unknown>,
): ReadonlySet<unknown> | "absent" | undefined {
  if (!isSchema(schema) || seen.has(schema)) return undefined;
  seen.add(schema);
  const read = (part: unknown) => readProperty(part, name, schemas, seen);
  const target = toComponentName(schema["$ref"]);
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const own = Object.hasOwn(properties, name) ? readValues(properties[name], schemas) : undefined;
  const parts = [...toArray(schema["allOf"]), ...(target === undefined ? [] : [schemas[target]])].map(read);
  const choices = toArray(schema["oneOf"] ?? schema["anyOf"]).map(read);
  const found = [own, ...parts].filter((values) => values !== undefined);
  if (found.includes("absent") || choices.includes("absent")) return "absent";
  const narrow = found as ReadonlySet<unknown>[];
  if (choices.length > 0 && !choices.includes(undefined)) {
    narrow.push(new Set((choices as ReadonlySet<unknown>[]).flatMap((values) => [...values])));
  }
  const [first, ...others] = narrow;
  return first && new Set([...first].filter((value) => others.every((values) => values.has(value))));
}

function readValues(property: unknown, schemas: Schemas): ReadonlySet<unknown> | "absent" | undefined {
  if (!isSchema(property)) return undefined;
  const target = toComponentName(property["$ref"]);
  if (property["readOnly"] === true || property["writeOnly"] === true) return "absent";
  if (Object.hasOwn(property, "const")) return new Set([property["const"]]);
  if (Array.isArray(property["enum"])) return new Set(property["enum"]);
  const [only, ...more] = toArray(property["allOf"]);
  if (target !== undefined) return readValues(schemas[target], schemas);
  return more.length === 0 ? readValues(only, schemas) : undefined;
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A component's name as a JSON pointer in a URI fragment has it. */
export function toKey(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}

function fromKey(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return key;
  }
}
