import { getOwn, isNode, type Node, toArray, toText } from "../../contract/document.js";
import { encodeName } from "./names.js";
import { dereference, toComponent } from "./references.js";
import { intersect, literals, type TypedSchema } from "./typed-schema.js";

/** A property and the values that it has in one schema of several that a discriminator tells apart. */
export interface Pin {
  readonly property: string;
  readonly values: readonly string[];
}

/** By component. */
export type Pins = ReadonlyMap<string, Pin>;

/** `Dog` becomes `Dog & { kind: "dog" }`, so that a look at `kind` narrows a union. */
export function pin(schema: TypedSchema, { property, values }: Pin): TypedSchema {
  const name = encodeName(property);
  return intersect([schema, { type: "object", properties: { [name]: literals(values) }, required: [name] }]);
}

/**
 * What a discriminator says about one member of its `oneOf` or `anyOf`.
 * @param choice The member as the document has it.
 * @param parent The schema with the discriminator.
 * @returns undefined when there is none, or nothing that the member does not say itself.
 * @see https://spec.openapis.org/oas/v3.1.0#discriminator-object
 */
export function findChoicePin(
  choice: unknown,
  parent: Node,
  { document, pins }: { readonly document: Node; readonly pins: Pins },
): Pin | undefined {
  const property = getPropertyName(parent);
  const reference = isNode(choice) ? toText(getOwn(choice, "$ref")) : undefined;
  const name = reference === undefined ? undefined : toComponent(reference)?.name;
  if (property === undefined || name === undefined) return undefined;
  const values = toValues(parent, name);
  const known = pins.get(name)?.values ?? getStated(document, choice, property);
  return narrows(values, known) ? { property, values } : undefined;
}

/**
 * Finds what discriminators say about the members of hierarchies: `Dog: { allOf: [{ $ref: Pet }, …] }` has `kind: "Dog"` where
 * `Pet` has a discriminator `kind`, and its descendants' values too, because they are dogs.
 */
export function findPins(document: Node): Pins {
  const schemas = getSchemas(document);
  const roots = new Map(schemas.filter(([, schema]) => getPropertyName(schema) !== undefined));
  if (roots.size === 0) return new Map();
  const parents = new Map(schemas.map(([name, schema]) => [name, parentsOf(schema)]));
  const values = new Map<string, Set<string>>();
  const properties = new Map<string, string>();
  for (const [name, schema] of schemas) {
    const ancestors = findAncestors(name, parents);
    const depth = ancestors.findIndex((ancestor) => roots.has(ancestor));
    const root = roots.get(ancestors[depth] ?? "");
    const property = root && getPropertyName(root);
    if (root === undefined || property === undefined) continue;
    const mapped = toValues(root, name);
    const stated = getStated(document, schema, property);
    if (narrows(mapped, stated)) properties.set(name, property);
    for (const member of [name, ...ancestors.slice(0, depth)]) {
      const collected = values.get(member) ?? new Set();
      for (const value of narrows(mapped, stated) ? mapped : (stated ?? [])) collected.add(value);
      values.set(member, collected);
    }
  }
  return new Map(
    [...properties].map(([name, property]) => [name, { property, values: [...(values.get(name) ?? [])] }]),
  );
}

/** A schema's own statement wins, unless it allows all of the mapped values and more. */
function narrows(mapped: readonly string[], stated: readonly string[] | undefined): boolean {
  if (stated === undefined) return true;
  return mapped.length < stated.length && mapped.every((value) => stated.includes(value));
}

function getSchemas(document: Node): readonly (readonly [string, Node])[] {
  const components = getOwn(document, "components");
  const schemas = isNode(components) ? getOwn(components, "schemas") : undefined;
  if (!isNode(schemas)) return [];
  return Object.entries(schemas).filter((entry): entry is [string, Node] => isNode(entry[1]));
}

/** Components that a schema is made of by `allOf`. */
function parentsOf(schema: Node): readonly string[] {
  return toArray(schema["allOf"]).flatMap((part) => {
    const reference = isNode(part) ? toText(getOwn(part, "$ref")) : undefined;
    const component = reference === undefined ? undefined : toComponent(reference);
    return component?.kind === "schemas" ? [component.name] : [];
  });
}

/** Nearest first. */
function findAncestors(name: string, parents: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set(parents.get(name));
  // A set is walked to its end, with what is added on the way.
  for (const ancestor of found) for (const next of parents.get(ancestor) ?? []) found.add(next);
  found.delete(name);
  return [...found];
}

function getPropertyName(schema: Node): string | undefined {
  const discriminator = getOwn(schema, "discriminator");
  return isNode(discriminator) ? toText(getOwn(discriminator, "propertyName")) : undefined;
}

/** Values that the mapping gives to a component, by reference or by its bare name; without one, its name. */
function toValues(parent: Node, name: string): readonly string[] {
  const { mapping } = parent["discriminator"] as Node;
  const values = (isNode(mapping) ? Object.entries(mapping) : []).filter(
    ([, target]) => typeof target === "string" && (target === name || toComponent(target)?.name === name),
  );
  return values.length === 0 ? [name] : values.map(([value]) => value);
}

/** The values that a schema itself, or a part of it, gives a property; undefined when it leaves it open. */
function getStated(
  document: Node,
  schema: unknown,
  property: string,
  within: readonly Node[] = [],
): readonly string[] | undefined {
  const node = dereference(document, schema);
  if (node === undefined || within.includes(node)) return undefined;
  const properties = getOwn(node, "properties");
  const declared = dereference(document, isNode(properties) ? getOwn(properties, property) : undefined);
  const values = declared && [...toArray(getOwn(declared, "enum")), getOwn(declared, "const")];
  const texts = values?.filter((value) => typeof value === "string") ?? [];
  if (texts.length > 0) return texts;
  return toArray(node["allOf"])
    .map((part) => getStated(document, part, property, [...within, node]))
    .find((found) => found !== undefined);
}
