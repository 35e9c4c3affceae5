import type { Sides } from "../../sides.js";
import { type Difference, placeOfKeyword } from "./difference.js";
import { accepts, isWholeKind, type Shape, toCanonical } from "../normal-form/index.js";

/**
 * Compares shapes of which at least one lists its values.
 * @returns undefined when neither does.
 */
export function compareValues({ base, revision }: Sides<Shape>): readonly Difference[] | undefined {
  const [before, after] = [base.values, revision.values];
  if (before === undefined && after === undefined) return undefined;
  const place = {
    base: placeOfKeyword(base.sources, "enum", "const"),
    revision: placeOfKeyword(revision.sources, "enum", "const"),
  };
  const gone = (before ?? []).filter((value) => !isIn(revision, value));
  const come = (after ?? []).filter((value) => !isIn(base, value));
  const differences: Difference[] = [
    ...gone.map((value): Difference => ({
      name: "enum-value-removed",
      effect: "narrower",
      before: value,
      ...place,
    })),
    ...come.map((value): Difference => ({
      name: "enum-value-added",
      effect: "wider",
      after: value,
      ...place,
    })),
  ];
  if (isPartlyUnchecked(base) || isPartlyUnchecked(revision)) {
    differences.push({ name: "values-not-compared", effect: "unknown", ...place });
  }
  if (before === undefined) differences.push({ name: "enum-added", effect: "narrower", after, ...place });
  if (after === undefined) differences.push({ name: "enum-removed", effect: "wider", before, ...place });
  return differences;
}

/** Tests whether a shape has restrictions that `accepts` does not check. */
function isPartlyUnchecked(shape: Shape): boolean {
  if (shape.values !== undefined || isWholeKind(shape)) return false;
  return (
    shape.kind === "array" || shape.kind === "object" || ("formats" in shape && shape.formats.length > 0)
  );
}

function isIn(shape: Shape, value: unknown): boolean {
  if (shape.values === undefined) return accepts(shape, value);
  const wanted = toCanonical(value);
  return shape.values.some((one) => toCanonical(one) === wanted);
}
