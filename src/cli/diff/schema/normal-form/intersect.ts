import type { SchemaRegistry } from "tenon/core/schema";
import { ANYTHING, type Conjunction, isNever, join } from "./conjunction.js";
import type { ArrayShape, Bound, NumberShape, ObjectShape, Shape, StringShape } from "./shape.js";
import { accepts, matches, toCanonical } from "./values.js";

/**
 * Builds the shape of the values that two shapes share.
 * @returns undefined when there are certainly none. `allOf` of two unions would otherwise keep every pair of their alternatives, and
 *   circular schemas pairs of those pairs.
 */
export function intersect(a: Shape, b: Shape, registry: SchemaRegistry): Shape | undefined {
  if (areDisjoint(a, b, registry)) return undefined;
  const common = {
    sources: [...new Set([...a.sources, ...b.sources])],
    opaque: [...a.opaque, ...b.opaque.filter((one) => !a.opaque.includes(one))],
    label: a.label ?? b.label,
  };
  const merged = { ...mergeKind(a, b), ...common } as Shape;
  const values = (a.values ?? b.values)?.filter((value) => accepts(a, value) && accepts(b, value));
  if (values === undefined) return merged;
  return values.length === 0 ? undefined : { ...merged, values };
}

function mergeKind(a: Shape, b: Shape): Shape {
  if (a.kind === "number" && b.kind === "number") return mergeNumbers(a, b);
  if (a.kind === "string" && b.kind === "string") return mergeStrings(a, b);
  if (a.kind === "array" && b.kind === "array") return mergeArrays(a, b);
  if (a.kind === "object" && b.kind === "object") return mergeObjects(a, b);
  return a;
}

function mergeNumbers(a: NumberShape, b: NumberShape): NumberShape {
  return {
    ...a,
    integer: a.integer || b.integer,
    minimum: stricter(a.minimum, b.minimum, (one, other) => one > other),
    maximum: stricter(a.maximum, b.maximum, (one, other) => one < other),
    multiples: unite(a.multiples, b.multiples),
    formats: unite(a.formats, b.formats),
  };
}

function stricter(
  a: Bound | undefined,
  b: Bound | undefined,
  isStricter: (one: number, other: number) => boolean,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.value === b.value) return a.exclusive ? a : b;
  return isStricter(a.value, b.value) ? a : b;
}

function mergeStrings(a: StringShape, b: StringShape): StringShape {
  return {
    ...a,
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    patterns: unite(a.patterns, b.patterns),
    formats: unite(a.formats, b.formats),
  };
}

function mergeArrays(a: ArrayShape, b: ArrayShape): ArrayShape {
  const length = Math.max(a.prefix.length, b.prefix.length);
  return {
    ...a,
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    unique: a.unique || b.unique,
    prefix: Array.from({ length }, (_, index) => join(a.prefix[index] ?? a.rest, b.prefix[index] ?? b.rest)),
    rest: join(a.rest, b.rest),
  };
}

/** Merges objects; a property that one of them does not declare is one of its undeclared properties. */
function mergeObjects(a: ObjectShape, b: ObjectShape): ObjectShape {
  const hidden = new Map([...a.hidden, ...b.hidden]);
  const names = [...new Set([...a.properties.keys(), ...b.properties.keys()])].filter(
    (name) => !hidden.has(name),
  );
  const required = new Set([...a.required, ...b.required]);
  for (const name of hidden.keys()) required.delete(name);
  const patterns = new Map(a.patterns);
  for (const [pattern, schema] of b.patterns) {
    const own = patterns.get(pattern);
    patterns.set(pattern, own === undefined ? schema : join(own, schema));
  }
  return {
    ...a,
    properties: new Map(names.map((name) => [name, join(schemaOf(a, name), schemaOf(b, name))])),
    hidden,
    required,
    patterns,
    rest: join(a.rest, b.rest),
    minProperties: Math.max(a.minProperties, b.minProperties),
    maxProperties: Math.min(a.maxProperties, b.maxProperties),
  };
}

function unite<Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  return [...new Set([...a, ...b])];
}

/** The schema of a property, declared or not. */
function schemaOf(shape: ObjectShape, name: string): Conjunction {
  return shape.properties.get(name) ?? undeclaredSchemaOf(shape, name);
}

/** The schema of an undeclared property: of the patterns that its name matches, else of all other properties. */
export function undeclaredSchemaOf({ patterns, rest }: ObjectShape, name: string): Conjunction {
  const matching = [...patterns].filter(([pattern]) => matches(pattern, name) === true);
  if (matching.length === 0) return rest;
  return matching.reduce<Conjunction>((all, [, schema]) => join(all, schema), ANYTHING);
}

/** Tests whether two shapes certainly have no value in common; false where that is unknown. */
export function areDisjoint(a: Shape, b: Shape, registry: SchemaRegistry): boolean {
  if (a.kind !== b.kind) return true;
  if (a.values !== undefined) return !a.values.some((value) => accepts(b, value));
  if (b.values !== undefined) return !b.values.some((value) => accepts(a, value));
  if (a.kind === "number" && b.kind === "number") {
    const isBelow = (one: typeof a, other: typeof a) =>
      one.maximum !== undefined && other.minimum !== undefined && one.maximum.value < other.minimum.value;
    return isBelow(a, b) || isBelow(b, a);
  }
  if (a.kind === "string" && b.kind === "string")
    return a.maxLength < b.minLength || b.maxLength < a.minLength;
  if (a.kind !== "object" || b.kind !== "object") return false;
  return [...a.required, ...b.required]
    .filter((name) => !a.hidden.has(name) && !b.hidden.has(name))
    .some((name) => forbids(a, name, b) || forbids(b, name, a) || areTags([a, b], name, registry));
}

/** Tests whether a shape forbids a property that another one requires. A shape that forbids what it requires is an author's mistake. */
function forbids(shape: ObjectShape, name: string, other: ObjectShape): boolean {
  return other.required.has(name) && !shape.required.has(name) && isNever(schemaOf(shape, name));
}

/** Tests whether one property distinguishes all shapes; false where that is unknown. */
export function haveTag(shapes: readonly Shape[], registry: SchemaRegistry): boolean {
  const objects = shapes.flatMap((shape) =>
    shape.kind === "object" && shape.values === undefined ? [shape] : [],
  );
  if (objects.length < shapes.length) return false;
  return [...(objects[0]?.required ?? [])].some((name) => {
    const taken = new Set<string>();
    return objects.every((shape) => {
      if (!shape.required.has(name) || shape.hidden.has(name)) return false;
      const values = readValues(schemaOf(shape, name), registry);
      return values?.every((value) => !taken.has(value) && taken.add(value)) ?? false;
    });
  });
}

/** Tests whether all of these require a property whose values distinguish them. */
function areTags(
  shapes: readonly [ObjectShape, ObjectShape],
  name: string,
  registry: SchemaRegistry,
): boolean {
  if (!shapes.every(({ required }) => required.has(name))) return false;
  const [one, other] = shapes.map((shape) => readValues(schemaOf(shape, name), registry));
  return one !== undefined && other !== undefined && !one.some((value) => other.includes(value));
}

/** Values of a property's `enum`, as text; its own or the one of a schema that applies to the same value. */
function readValues(property: Conjunction, registry: SchemaRegistry): readonly string[] | undefined {
  if (isNever(property)) return [];
  const parts = property.parts.flatMap((part) => [...registry.parts(part)]);
  return parts.find((part) => part.enum !== undefined)?.enum?.map(toCanonical);
}
