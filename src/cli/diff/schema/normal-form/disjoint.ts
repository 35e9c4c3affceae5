import { type Conjunction, isNever } from "./conjunction.js";
import { schemaOf } from "./property-schemas.js";
import type { ObjectShape, Shape } from "./shape.js";
import { accepts, toCanonical } from "./values.js";

/** Tests whether two shapes certainly have no value in common; false where that is unknown. */
export function areDisjoint(a: Shape, b: Shape): boolean {
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
  return [...a.required, ...b.required].some(
    (name) => isForbidden(a, name) || isForbidden(b, name) || areTags(a, b, name),
  );
}

function isForbidden(shape: ObjectShape, name: string): boolean {
  return isNever(schemaOf(shape, name));
}

/** Tests whether both require a property whose values distinguish them. */
function areTags(a: ObjectShape, b: ObjectShape, name: string): boolean {
  if (!a.required.has(name) || !b.required.has(name)) return false;
  const [one, other] = [readValues(schemaOf(a, name)), readValues(schemaOf(b, name))];
  return one !== undefined && other !== undefined && !one.some((value) => other.includes(value));
}

/** Values of a property's own `enum`, as text. */
function readValues(property: Conjunction): readonly string[] | undefined {
  if (isNever(property)) return [];
  return property.parts.find((part) => part.enum !== undefined)?.enum?.map(toCanonical);
}
