import type { Fact } from "./fact.js";
import { KINDS, type Normal } from "./shape.js";

/** Compares which kinds of values there are. Whether numbers have to be integers is a matter of their shapes. */
export function compareTypes(
  before: Normal,
  after: Normal,
  places: { readonly base: string; readonly revision: string },
): readonly Fact[] {
  const [old, current] = [listTypes(before), listTypes(after)];
  const [kinds, currentKinds] = [old.map(toKind), current.map(toKind)];
  const fewer = kinds.some((kind) => !currentKinds.includes(kind));
  const more = currentKinds.some((kind) => !kinds.includes(kind));
  const shown = { before: toShown(old, before), after: toShown(current, after), ...places };
  const facts: Fact[] = [];
  if (fewer && more) facts.push({ name: "type-changed", effect: "unknown", ...shown });
  else if (fewer) facts.push({ name: "type-removed", effect: "narrower", ...shown });
  else if (more) facts.push({ name: "type-added", effect: "wider", ...shown });
  // Of what may be anything or nothing, null is no news, where it changes as the rest does.
  const isTold = isAny(old) !== isAny(current) || old.length === 0 || current.length === 0;
  const effect = after.null ? "wider" : "narrower";
  const says = facts.some((fact) => fact.effect === effect || fact.effect === "unknown");
  if (before.null !== after.null && !(isTold && says)) {
    facts.push({ name: after.null ? "null-added" : "null-removed", effect, ...places });
  }
  return facts;
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
