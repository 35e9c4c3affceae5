import type { Sides } from "../../sides.js";
import type { Difference, Place } from "./difference.js";
import { KINDS, type Normal } from "../normal-form/index.js";

/** Compares types. Integers are compared with the shapes of numbers. */
export function compareTypes(before: Normal, after: Normal, places: Sides<Place>): readonly Difference[] {
  const [old, current] = [listTypes(before), listTypes(after)];
  const [kinds, currentKinds] = [old.map(toKind), current.map(toKind)];
  const fewer = kinds.some((kind) => !currentKinds.includes(kind));
  const more = currentKinds.some((kind) => !kinds.includes(kind));
  const shown = { before: toShown(old, before), after: toShown(current, after), ...places };
  const differences: Difference[] = [];
  if (fewer && more) differences.push({ name: "type-changed", effect: "unknown", ...shown });
  else if (fewer) differences.push({ name: "type-removed", effect: "narrower", ...shown });
  else if (more) differences.push({ name: "type-added", effect: "wider", ...shown });
  // A change from or to any type, or to no type, already includes null.
  const includesNull = isAny(old) !== isAny(current) || old.length === 0 || current.length === 0;
  const effect = after.null ? "wider" : "narrower";
  const isCovered = differences.some(
    (difference) => difference.effect === effect || difference.effect === "unknown",
  );
  if (before.null !== after.null && !(includesNull && isCovered)) {
    differences.push({ name: after.null ? "null-added" : "null-removed", effect, ...places });
  }
  return differences;
}

function listTypes({ shapes }: Normal): readonly string[] {
  return KINDS.flatMap((kind) => {
    const own = shapes.filter((shape) => shape.kind === kind);
    if (own.length === 0) return [];
    return own.every((shape) => shape.kind === "number" && (shape.integer || isWhole(shape.values)))
      ? ["integer"]
      : [kind];
  });
}

function toKind(type: string): string {
  return type === "integer" ? "number" : type;
}

/** A number that may only be 1, 2 or 3 is an integer. */
function isWhole(values: readonly unknown[] | undefined): boolean {
  return values?.every(Number.isInteger) === true;
}

function isAny(types: readonly string[]): boolean {
  return types.length === KINDS.length;
}

function toShown(types: readonly string[], normal: Normal): unknown {
  if (isAny(types)) return "any";
  const all = normal.null ? [...types, "null"] : types;
  return all.length === 1 ? all[0] : all;
}
