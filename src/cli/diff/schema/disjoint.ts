import { getOwn } from "tenon/core/document/pointer";
import { isNever } from "./conjunction.js";
import { schemaOf } from "./members.js";
import type { Conjunction, ObjectShape, Shape } from "./shape.js";
import { accepts, toCanonical } from "./values.js";

/** Whether two shapes certainly share no value; false where that is not seen at once. */
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

/** Whether both require a property, and its values in the two are not the same ones. */
function areTags(a: ObjectShape, b: ObjectShape, name: string): boolean {
  if (!a.required.has(name) || !b.required.has(name)) return false;
  const [one, other] = [readValues(schemaOf(a, name)), readValues(schemaOf(b, name))];
  return one !== undefined && other !== undefined && !one.some((value) => other.includes(value));
}

/** Values that a property's own `enum` or `const` has, as text. */
function readValues({ parts }: Conjunction): readonly string[] | undefined {
  for (const part of parts) {
    if (part === false) return [];
    const constant = getOwn(part.node, "const");
    if (constant !== undefined) return [toCanonical(constant)];
    const values = getOwn(part.node, "enum");
    if (Array.isArray(values)) return values.map(toCanonical);
  }
  return undefined;
}
