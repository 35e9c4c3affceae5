import type { Sides } from "../../sides.js";
import { KINDS, type Normal, type Shape } from "../normal-form/index.js";
import { compareShapes, type IsSame } from "./compare-shapes.js";
import { compareTypes } from "./compare-types.js";
import { type Difference, type Expansion, merge, type Place, placeOfKeyword } from "./difference.js";
import { matchShapes, type Relation } from "./match-alternatives.js";

/** Comparisons that include everything that schemas consist of. */
export interface WholeComparison {
  readonly isSame: IsSame;
  readonly relate: (expansion: Expansion) => Relation;
}

/** Compares two schemas by the types and alternatives that they allow. */
export function compareNormalForms(
  { base, revision }: Sides<Normal>,
  places: Sides<Place>,
  whole: WholeComparison,
): Expansion {
  const types = compareTypes(base, revision, places);
  const kinds = KINDS.map((kind): Expansion => {
    const [before, after] = [base, revision].map(({ shapes }) =>
      shapes.filter((shape) => shape.kind === kind),
    );
    if (!before?.length || !after?.length) return { differences: [], edges: [] };
    const { differences, edges } = compareAlternatives(before, after, whole);
    // A change from any type to integer is reported once.
    return {
      differences: differences.filter(({ name }) => !types.some((type) => type.name === name)),
      edges,
    };
  });
  const truncated: Difference[] =
    base.truncated || revision.truncated
      ? [{ name: "alternatives-not-compared", effect: "unknown", ...places }]
      : [];
  const compared = merge([{ differences: [...types, ...truncated], edges: [] }, ...kinds]);
  const isSure = areSameLists(base.overlaps, revision.overlaps, (one, other) =>
    areSameLists(one, other, whole.isSame),
  );
  return isSure ? compared : toOverlapping(compared, places, whole);
}

/** Differences are uncertain where `oneOf` has other alternatives that may overlap. */
function toOverlapping(compared: Expansion, places: Sides<Place>, { relate }: WholeComparison): Expansion {
  const { narrower, wider } = relate(compared);
  const changed: Difference[] =
    narrower || wider ? [] : [{ name: "one-of-overlap-changed", effect: "unknown", ...places }];
  return {
    differences: [...compared.differences, ...changed].map((one): Difference => ({
      ...one,
      overlapping: true,
    })),
    edges: compared.edges.map((edge) => ({ ...edge, overlapping: true })),
  };
}

/** Compares the alternatives of one kind. */
function compareAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  { isSame, relate }: WholeComparison,
): Expansion {
  const compare = (base: Shape, revision: Shape) => compareShapes(base, revision, isSame);
  const { pairs, removed, added } = matchShapes(before, after, (a, b) => relate(compare(a, b)));
  const [base, revision] = [findPlace(before), findPlace(after)];
  const differences: Difference[] = [
    ...removed.map((shape): Difference => ({
      name: "alternative-removed",
      effect: "narrower",
      before: shape.label ?? shape.kind,
      base: findPlace([shape]),
      revision,
    })),
    ...added.map((shape): Difference => ({
      name: "alternative-added",
      effect: "wider",
      after: shape.label ?? shape.kind,
      base,
      revision: findPlace([shape]),
    })),
  ];
  return merge([{ differences, edges: [] }, ...pairs.map(([a, b]) => compare(a, b))]);
}

function findPlace(shapes: readonly Shape[]): Place {
  return placeOfKeyword(shapes.flatMap(({ sources }) => sources.slice(0, 1)));
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
