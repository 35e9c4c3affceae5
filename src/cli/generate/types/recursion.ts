import {
  ANY,
  extension,
  getExtension,
  getReference,
  intersect,
  type TypedSchema,
  unite,
} from "./typed-schema.js";

/** References for which the compiler must resolve the type of the target to resolve that of the schema. */
interface Reach {
  /** References as a part or an alternative. */
  readonly direct: ReadonlySet<string>;
  /** References as items of an array, which the compiler resolves lazily only in a type alias. */
  readonly items: ReadonlySet<string>;
}

export interface Untangled {
  readonly schemas: ReadonlyMap<string, TypedSchema>;
  /** Type aliases by reference, for the schemas that need one. */
  readonly aliases: ReadonlyMap<string, string>;
  /** References of schemas that consist of themselves, so that their circular part was left out. */
  readonly cut: readonly string[];
}

/**
 * Rewrites circular schemas so that their types compile: the type of an interface's property must not contain itself (TS2502).
 *
 * - A circle through arrays gets a type alias: `Json: string | Json[]`.
 * - In the descendants of a base that lists them, `Pet: { oneOf: [Dog] }` and `Dog: { allOf: [Pet] }`, the base is replaced by its
 *   own members.
 * @param schemas Schemas by reference: `#/components/schemas/Json`.
 * @param toAlias Returns the name of the alias for a reference.
 */
export function untangle(
  schemas: ReadonlyMap<string, TypedSchema>,
  toAlias: (reference: string) => string,
): Untangled {
  const untangled = new Map(schemas);
  const cut: string[] = [];
  for (const circle of findCircles(untangled, ["direct"])) {
    for (const reference of circle) {
      const schema = untangled.get(reference) ?? ANY;
      untangled.set(reference, leaveOutBases(schema, { circle, schemas: untangled }));
    }
  }
  for (let circles = findCircles(untangled, ["direct"]); circles.length > 0;) {
    for (const circle of circles) {
      const [reference = ""] = circle;
      untangled.set(reference, leaveOut(untangled.get(reference) ?? ANY, circle) ?? ANY);
      cut.push(reference);
    }
    circles = findCircles(untangled, ["direct"]);
  }
  const circles = findCircles(untangled, ["direct", "items"]);
  const aliases = new Map(circles.flatMap((circle) => [...circle].map((name) => [name, toAlias(name)])));
  for (const reference of aliases.keys())
    untangled.set(reference, rename(untangled.get(reference) ?? ANY, aliases));
  return { schemas: untangled, aliases, cut };
}

/** Finds the strongly connected components of the schemas with Tarjan's algorithm, in document order. */
function findCircles(
  schemas: ReadonlyMap<string, TypedSchema>,
  ways: readonly (keyof Reach)[],
): readonly ReadonlySet<string>[] {
  const next = new Map(
    [...schemas].map(([reference, schema]) => {
      const reach = findReach(schema);
      return [reference, ways.flatMap((way) => [...reach[way]]).filter((to) => schemas.has(to))];
    }),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const stacked = new Set<string>();
  const circles: ReadonlySet<string>[] = [];
  const visit = (reference: string) => {
    order.set(reference, order.size);
    lowest.set(reference, order.size - 1);
    stack.push(reference);
    stacked.add(reference);
    for (const to of next.get(reference) ?? []) {
      if (!order.has(to)) visit(to);
      if (stacked.has(to)) lowest.set(reference, Math.min(lowest.get(reference) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(reference) !== order.get(reference)) return;
    const members = stack.splice(stack.lastIndexOf(reference));
    for (const member of members) stacked.delete(member);
    const itself = next.get(reference)?.includes(reference) === true;
    if (members.length > 1 || itself) circles.push(new Set(members));
  };
  for (const reference of schemas.keys()) if (!order.has(reference)) visit(reference);
  return circles;
}

/** Finds the references of a schema, but not below properties and index signatures, which the compiler resolves lazily. */
function findReach(schema: TypedSchema): Reach {
  const direct = new Set<string>();
  const items = new Set<string>();
  const visit = (node: TypedSchema, found: Set<string>) => {
    const reference = getReference(node);
    if (reference !== undefined) found.add(reference);
    for (const part of partsOf(node)) visit(part, found);
    for (const item of itemsOf(node)) visit(item, items);
  };
  visit(schema, direct);
  return { direct, items };
}

function partsOf(schema: TypedSchema): readonly TypedSchema[] {
  return [...((schema["allOf"] ?? []) as TypedSchema[]), ...((schema["anyOf"] ?? []) as TypedSchema[])];
}

function itemsOf(schema: TypedSchema): readonly TypedSchema[] {
  const extended = getExtension(schema);
  if (extended?.kind === "tuple") return [...extended.items, ...(extended.rest ? [extended.rest] : [])];
  return schema["items"] === undefined ? [] : [schema["items"] as TypedSchema];
}

/** Replaces a circular base by its parts that are not circular. */
function leaveOutBases(schema: TypedSchema, context: Circle): TypedSchema {
  const { allOf, ...others } = schema;
  return Array.isArray(allOf) ? { ...others, ...intersect(toOwnParts(schema, context)) } : schema;
}

interface Circle {
  readonly circle: ReadonlySet<string>;
  readonly schemas: ReadonlyMap<string, TypedSchema>;
}

function toOwnParts(
  schema: TypedSchema,
  context: Circle,
  within: readonly string[] = [],
): readonly TypedSchema[] {
  return ((schema["allOf"] ?? [schema]) as readonly TypedSchema[]).flatMap((part) => {
    const reference = getReference(part);
    if (reference !== undefined && context.circle.has(reference)) {
      const base = within.includes(reference) ? undefined : context.schemas.get(reference);
      return base === undefined ? [] : toOwnParts(base, context, [...within, reference]);
    }
    const leadsBack = within.length > 0 && [...findReach(part).direct].some((to) => context.circle.has(to));
    return leadsBack ? [] : [part];
  });
}

/** Removes circular parts; undefined if nothing is left. */
function leaveOut(schema: TypedSchema, circle: ReadonlySet<string>): TypedSchema | undefined {
  if (circle.has(getReference(schema) ?? "")) return undefined;
  const { allOf, anyOf, ...others } = schema;
  const keep = (parts: unknown): readonly TypedSchema[] =>
    (parts as readonly TypedSchema[])
      .map((part) => leaveOut(part, circle))
      .filter((part) => part !== undefined);
  if (allOf !== undefined) return { ...others, ...intersect(keep(allOf)) };
  if (anyOf === undefined) return schema;
  const kept = keep(anyOf);
  return kept.length === 0 ? undefined : { ...others, ...unite(kept) };
}

/** Replaces references by aliases, where the compiler must resolve the type. */
function rename(schema: TypedSchema, aliases: ReadonlyMap<string, string>): TypedSchema {
  const alias = aliases.get(getReference(schema) ?? "");
  if (alias !== undefined) return extension({ kind: "named", name: alias });
  const inner = (part: TypedSchema) => rename(part, aliases);
  const extended = getExtension(schema);
  if (extended?.kind === "tuple") {
    const { items, rest } = extended;
    return extension({ ...extended, items: items.map(inner), ...(rest && { rest: inner(rest) }) });
  }
  const renamed = Object.entries(schema).map(([key, value]) => {
    if (key === "allOf" || key === "anyOf") return [key, (value as readonly TypedSchema[]).map(inner)];
    return [key, key === "items" ? inner(value as TypedSchema) : value];
  });
  return Object.fromEntries(renamed) as TypedSchema;
}
