import type { JsonType, Schema } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import { groupBy } from "../../../generate/group-by.js";
import { type Conjunction, toSchema } from "../normal-form/conjunction.js";
import { KINDS, type Normal, type Shape } from "../normal-form/shape.js";
import { compareShapes, toEnum, toOther } from "./compare-shapes.js";
import {
  type Difference,
  type Expansion,
  isEqual,
  merge,
  type Place,
  type RelateSchemas,
  type Relation,
} from "./difference.js";

/** Comparisons that include everything that schemas consist of. */
export interface WholeComparison {
  readonly relateSchemas: RelateSchemas;
  readonly relate: (expansion: Expansion) => Relation;
}

/** Compares two schemas by the types and alternatives that they allow. */
export function compareNormalForms(
  { base, revision }: Sides<Normal>,
  places: Sides<Place>,
  whole: WholeComparison,
): Expansion {
  const types = compareTypes(base, revision, places);
  const kinds = KINDS.map((kind): Expansion | readonly Difference[] => {
    const [before, after] = [base, revision].map(({ shapes }) =>
      shapes.filter((shape) => shape.kind === kind),
    );
    if (!before?.length || !after?.length) return [];
    const { differences, edges } = compareAlternatives(before, after, whole);
    // A change from any type to integer is reported once.
    return {
      differences: differences.filter(({ name }) => !types.some((type) => type.name === name)),
      edges,
    };
  });
  const truncated: readonly Difference[] =
    base.truncated || revision.truncated ? [{ name: "alternatives-not-compared", ...places }] : [];
  const compared = joinReplaced(merge([types, truncated, ...kinds]), { base, revision });
  const isSame = (one: Conjunction, other: Conjunction) => isEqual(whole.relateSchemas(one, other));
  const isSure = areSameLists(base.overlaps, revision.overlaps, (one, other) =>
    areSameLists(one, other, isSame),
  );
  if (isSure) return compared;
  const changed = isEqual(whole.relate(compared)) ? compareOverlaps({ base, revision }, places) : [];
  return merge([toOverlapping(compared, { base, revision }), changed]);
}

/** Reports values of which none remains as one difference: clients that ignore unknown values know none of the new ones. */
function joinReplaced(compared: Expansion, { base, revision }: Sides<Normal>): Expansion {
  const [before, ...otherBefore] = base.shapes;
  const [after, ...otherAfter] = revision.shapes;
  const isValue = ({ name }: Difference) => name === "enum-value-removed" || name === "enum-value-added";
  const changed = compared.differences.filter(isValue);
  const [first] = changed;
  const count = (before?.values?.length ?? NaN) + (after?.values?.length ?? NaN);
  const isAll = otherBefore.length + otherAfter.length === 0 && !(base.null && revision.null);
  if (first === undefined || !isAll || changed.length !== count) return compared;
  const joined: Difference = {
    ...first,
    name: "enum-replaced",
    before: before?.values,
    after: after?.values,
    rule: { base: toEnum(before?.values), revision: toEnum(after?.values) },
  };
  const others = compared.differences.filter((one) => !isValue(one));
  return { ...compared, differences: [joined, ...others] };
}

/** Compares `oneOf` alternatives that overlap, where the alternatives are equal. Without overlaps, all of their values are valid. */
function compareOverlaps({ base, revision }: Sides<Normal>, places: Sides<Place>): readonly Difference[] {
  if (base.overlaps.length > 0 && revision.overlaps.length > 0)
    return [{ name: "one-of-overlap-changed", overlapping: true, ...places }];
  const name = revision.overlaps.length > 0 ? "keyword-tightened" : "keyword-loosened";
  return [{ name, subject: "oneOf", ...places }];
}

/**
 * Differences are uncertain where `oneOf` has other alternatives that may overlap. An alternative more is not if only the base has
 * overlaps, which exclude more of its values; likewise an alternative fewer.
 */
function toOverlapping({ differences, edges }: Expansion, { base, revision }: Sides<Normal>): Expansion {
  const isCertain = ({ name }: Difference) =>
    (name === "alternative-added" && revision.overlaps.length === 0) ||
    (name === "alternative-removed" && base.overlaps.length === 0);
  return {
    differences: differences.map((one) => (isCertain(one) ? one : { ...one, overlapping: true })),
    edges: edges.map((edge) => ({ ...edge, overlapping: true })),
  };
}

function compareAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  { relateSchemas, relate }: WholeComparison,
): Expansion {
  const compare = (base: Shape, revision: Shape) => compareShapes(base, revision, relateSchemas);
  const { pairs, removed, added } = matchShapes(before, after, (a, b) => relate(compare(a, b)));
  const [base, revision] = [findPlace(before), findPlace(after)];
  const toLabel = ({ label, kind }: Shape) => label ?? kind;
  const differences: readonly Difference[] = [
    ...removed.map((shape): Difference => {
      const isNear = after.some((other) => relate(compare(shape, other)).overlapping);
      const unsure = { base: isNear || mayInclude(after, shape), revision: false };
      const places = { base: findPlace([shape]), revision };
      const alternative = { base: toSchema({ key: "", parts: shape.sources }), revision: undefined };
      return { name: "alternative-removed", before: toLabel(shape), unsure, alternative, ...places };
    }),
    ...added.map((shape): Difference => {
      const isNear = before.some((other) => relate(compare(other, shape)).overlapping);
      const unsure = { base: false, revision: isNear || mayInclude(before, shape) };
      const places = { base, revision: findPlace([shape]) };
      const alternative = { base: undefined, revision: toSchema({ key: "", parts: shape.sources }) };
      return { name: "alternative-added", after: toLabel(shape), unsure, alternative, ...places };
    }),
  ];
  const paired = pairs.map(([a, b]) => compare(a, b));
  if (before.length === 1 && after.length === 1) return merge([differences, ...paired]);
  const { edges, differences: ofPairs } = merge(paired);
  return {
    differences: [
      ...differences,
      ...ofPairs.map((one) => (isPlain(before) ? { ...one, unsure: BOTH } : one)),
    ],
    edges: edges.map((edge) => ({ ...edge, alternative: true })),
  };
}

/** Another alternative may allow the values of an alternative that has become narrower. */
const BOTH = { base: true, revision: true };

/** Tests whether values have no parts, so that a value that shows a difference is easily found. */
function isPlain([shape]: readonly Shape[]): boolean {
  return shape?.kind === "string" || shape?.kind === "number";
}

/** Tests whether alternatives of which none includes another shape can include it together, or with keywords that exclude its values. */
function mayInclude(shapes: readonly Shape[], shape: Shape): boolean {
  const isOpaque = [shape, ...shapes].some(({ opaque }) => opaque.length > 0);
  return isOpaque || shapes.length > 1;
}

interface Matching {
  /** Alternatives to compare with each other. */
  readonly pairs: readonly (readonly [base: Shape, revision: Shape])[];
  /** Alternatives of the base whose values no alternative of the revision contains. */
  readonly removed: readonly Shape[];
  readonly added: readonly Shape[];
}

/**
 * Pairs the alternatives of one kind: by component, by equal values, by required properties, then the last remaining one of each
 * side. An alternative that another alternative of the other side contains is neither added nor removed.
 */
function matchShapes(
  base: readonly Shape[],
  revision: readonly Shape[],
  relate: (base: Shape, revision: Shape) => Relation,
): Matching {
  const pairs: (readonly [Shape, Shape])[] = [];
  let [before, after] = [base, revision];
  const pair = (is: (one: Shape, other: Shape) => boolean) => {
    for (const one of before) {
      const other = after.find((candidate) => is(one, candidate));
      if (other === undefined) continue;
      pairs.push([one, other]);
      before = before.filter((shape) => shape !== one);
      after = after.filter((shape) => shape !== other);
    }
  };
  if (base.length > 1 || revision.length > 1) {
    const named = new Set([...findNamed(base), ...findNamed(revision)]);
    pair((one, other) => one.label === other.label && named.has(one) && named.has(other));
    pair((one, other) => isEqual(relate(one, other)));
    const lone = before.length === 1 && after.length === 1;
    if (!lone) {
      const [removed, added] = [before, after];
      const lost = removed.filter((one) => !revision.some((other) => !relate(one, other).narrower));
      const come = added.filter((other) => !base.some((one) => !relate(one, other).wider));
      pair(
        (one, other) =>
          (lost.includes(one) || come.includes(other)) &&
          haveSameRequired(one, other) &&
          isOnlyRequiring(one, removed) &&
          isOnlyRequiring(other, added),
      );
      before = before.filter((one) => lost.includes(one));
      after = after.filter((other) => come.includes(other));
    }
  }
  const [one, other] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && one && other)
    return { pairs: [...pairs, [one, other]], removed: [], added: [] };
  return { pairs, removed: before, added: after };
}

/** Finds the alternatives whose component no other alternative has. */
function findNamed(shapes: readonly Shape[]): readonly Shape[] {
  const byLabel = groupBy(shapes, ({ label }) => label);
  return shapes.filter(({ label }) => label !== undefined && byLabel.get(label)?.length === 1);
}

/** Tests whether no other alternative requires the same properties. */
function isOnlyRequiring(shape: Shape, shapes: readonly Shape[]): boolean {
  return shapes.filter((other) => haveSameRequired(shape, other)).length === 1;
}

function haveSameRequired(one: Shape, other: Shape): boolean {
  if (one.kind !== "object" || other.kind !== "object" || one.required.size !== other.required.size)
    return false;
  return [...one.required].every((name) => other.required.has(name));
}

function findPlace(shapes: readonly Shape[]): Place {
  const [source] = shapes.flatMap(({ sources }) => sources);
  return () => source?.pointer ?? "#";
}

/** Tests whether each item of one list has an equal item in the other, in any order. */
function areSameLists<Of>(
  base: readonly Of[],
  revision: readonly Of[],
  isSame: (a: Of, b: Of) => boolean,
): boolean {
  const left = [...revision];
  for (const one of base) {
    const index = left.findIndex((other) => isSame(one, other));
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}

/** Compares types. Integers are compared with the shapes of numbers. */
function compareTypes(before: Normal, after: Normal, places: Sides<Place>): readonly Difference[] {
  const [old, current] = [listTypes(before), listTypes(after)];
  const [kinds, currentKinds] = [old.map(toKind), current.map(toKind)];
  const fewer = kinds.some((kind) => !currentKinds.includes(kind));
  const more = currentKinds.some((kind) => !kinds.includes(kind));
  const name = fewer ? (more ? "type-changed" : "type-removed") : more ? "type-added" : undefined;
  const shown = { before: toShown(old, before), after: toShown(current, after), ...places };
  const unsure = {
    base: mayExclude(before, (kind) => !currentKinds.includes(kind)),
    revision: mayExclude(after, (kind) => !kinds.includes(kind)),
  };
  const rule = { base: toTypes(old, before), revision: toTypes(current, after) };
  const differences: Difference[] = name === undefined ? [] : [{ name, ...shown, unsure, rule }];
  // A change from or to any type, or to no type, already includes null.
  const includesNull = isAny(old) !== isAny(current) || old.length === 0 || current.length === 0;
  const isCovered = name === "type-changed" || name === (after.null ? "type-added" : "type-removed");
  if (before.null !== after.null && !(includesNull && isCovered))
    differences.push({ name: after.null ? "null-added" : "null-removed", rule: toOther(null), ...places });
  return differences;
}

/** Tests whether keywords that are not compared in detail can exclude all values of these kinds. */
function mayExclude({ shapes, overlaps }: Normal, isKind: (kind: string) => boolean): boolean {
  const own = shapes.filter(({ kind }) => isKind(kind));
  return own.length > 0 && (overlaps.length > 0 || own.every(({ opaque }) => opaque.length > 0));
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

function toTypes(types: readonly string[], normal: Normal): Schema {
  const all = [...types, ...(normal.null ? ["null"] : [])] as readonly JsonType[];
  return all.length === 0 ? { pointer: "#", never: true } : { pointer: "#", type: all };
}

function toShown(types: readonly string[], normal: Normal): unknown {
  if (isAny(types)) return "any";
  const all = normal.null ? [...types, "null"] : types;
  return all.length === 1 ? all[0] : all;
}
