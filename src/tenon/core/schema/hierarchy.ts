import { toComponentName, toComponentReference } from "../document/references.js";
import { isNode as isSchema, type Node as Schema } from "../document/node.js";

type Schemas = Schema;

/** Suffix of the component for the base alone. Authors' names of components cannot contain a space. */
const BASE = " base";

/**
 * Rewrites hierarchies as unions. A component with a `discriminator` that others extend with `allOf` means itself or one of the
 * others where it is used, and only itself where it is extended:
 * `Pet: { discriminator }, Cat: { allOf: [Pet, …] }` becomes
 * `Pet: { oneOf: [Cat, "Pet base"], discriminator }, "Pet base": {}, Cat: { allOf: ["Pet base", …] }`.
 * @see https://spec.openapis.org/oas/v3.1.0#models-with-polymorphism-support
 */
export function expandHierarchies(schemas: Schemas): Schemas {
  const mapped = new Set(Object.values(schemas).flatMap(readMapped));
  const parents = new Map(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      isHeir(schema) || (mapped.has(name) && hasParts(schema)) ? readParents(schema) : [],
    ]),
  );
  const bases = new Map(
    Object.entries(schemas).flatMap(([name, schema]) => {
      if (!isSchema(schema) || !isSchema(schema["discriminator"]) || "oneOf" in schema || "anyOf" in schema)
        return [];
      const heirs = [...parents.keys()].filter((heir) => descends(heir, name, parents));
      return heirs.length > 0 ? [[name, heirs] as const] : [];
    }),
  );
  if (bases.size === 0) return schemas;

  const toBase = (name: string) => (bases.has(name) ? `${name}${BASE}` : name);
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
      const alone = parents.get(name)?.length && hasParts(schema) ? extendBases(schema, toBase) : schema;
      const heirs = bases.get(name);
      if (heirs === undefined || !isSchema(alone)) return [[name, alone]];
      const { discriminator, ...rest } = alone;
      const names = [...heirs, name];
      const union = {
        ...("description" in alone && { description: alone["description"] }),
        oneOf: names.map((heir) => toReference(toBase(heir))),
        discriminator: {
          ...(discriminator as Schema),
          mapping: toMapping(discriminator as Schema, names, toBase),
          ...toDefault(discriminator as Schema, toBase),
        },
      };
      return [
        [name, union],
        [`${name}${BASE}`, rest],
      ];
    }),
  );
}

/** Tests whether a component was added here, as the base of a hierarchy alone. */
export function isBase(name: string): boolean {
  return name.endsWith(BASE);
}

/**
 * Redirects a reference to a part of a base to its location after {@link expandHierarchies}:
 * `#/components/schemas/Pet/properties/id` becomes `#/components/schemas/Pet base/properties/id`.
 */
export function redirect(reference: string, schemas: Schemas): string {
  const [, whole = "", rest = ""] = /^(#\/components\/schemas\/[^/]*)(\/.*)$/.exec(reference) ?? [];
  const name = toComponentName(whole);
  if (name === undefined || !Object.hasOwn(schemas, `${name}${BASE}`)) return reference;
  return `${toComponentReference(`${name}${BASE}`)}${rest}`;
}

/** Converts a pointer after {@link expandHierarchies} to the pointer in the author's document. */
export function toAuthorPointer(pointer: string): string {
  return pointer.replace(/^(#\/components\/schemas\/[^/]*) base(?=\/|$)/, "$1");
}

/** Tests whether a schema extends a base. A wrapper that only adds a description or null does not, unless a mapping names it. */
function isHeir(schema: unknown): schema is Composed {
  return hasParts(schema) && (schema.allOf.length > 1 || "properties" in schema);
}

type Composed = Schema & { readonly allOf: readonly unknown[] };

function hasParts(schema: unknown): schema is Composed {
  return isSchema(schema) && Array.isArray(schema["allOf"]);
}

/** Lists the components in the mapping of a schema's discriminator. */
function readMapped(schema: unknown): readonly string[] {
  const discriminator = isSchema(schema) ? schema["discriminator"] : undefined;
  const mapping = isSchema(discriminator) ? discriminator["mapping"] : undefined;
  return Object.values(isSchema(mapping) ? mapping : {}).map(
    (target) => toComponentName(target) ?? String(target),
  );
}

function readParents({ allOf }: Composed): readonly string[] {
  return allOf.flatMap((part) => (isSchema(part) ? toComponentName(part["$ref"]) : undefined) ?? []);
}

function descends(heir: string, base: string, parents: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const pending = [...(parents.get(heir) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === base) return heir !== base;
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...(parents.get(next) ?? []));
  }
  return false;
}

function extendBases(schema: Composed, toBase: (name: string) => string): Schema {
  const allOf = schema.allOf.map((part) => {
    const name = isSchema(part) ? toComponentName(part["$ref"]) : undefined;
    return name === undefined || toBase(name) === name
      ? part
      : { ...(part as Schema), ...toReference(toBase(name)) };
  });
  return { ...schema, allOf };
}

/** Adds each name that is missing in the author's mapping, with itself as the value. */
function toMapping(
  discriminator: Schema,
  names: readonly string[],
  toBase: (name: string) => string,
): Schema {
  const declared = Object.entries(isSchema(discriminator["mapping"]) ? discriminator["mapping"] : {}).map(
    ([value, target]) => [value, toComponentName(target) ?? String(target)] as const,
  );
  const implied = names.filter(
    (name) => !declared.some(([value, target]) => target === name || value === name),
  );
  const all = [...declared, ...implied.map((name) => [name, name] as const)];
  return Object.fromEntries(all.map(([value, name]) => [value, toReference(toBase(name)).$ref]));
}

function toDefault({ defaultMapping: target }: Schema, toBase: (name: string) => string): Schema {
  if (typeof target !== "string") return {};
  return { defaultMapping: toReference(toBase(toComponentName(target) ?? target)).$ref };
}

function toReference(name: string): { readonly $ref: string } {
  return { $ref: toComponentReference(name) };
}
