import type { Pair } from "./compare-limits.js";
import { type Fact, findKeyword } from "./fact.js";
import type { Shape } from "./shape.js";
import { isWholeKind } from "./simplify.js";
import { accepts, toCanonical } from "./values.js";

/**
 * Compares shapes of which one at least has only certain values.
 * @returns undefined when neither has: then what else they say decides.
 */
export function compareValues({ base, revision }: Pair<Shape>): readonly Fact[] | undefined {
  const [before, after] = [base.values, revision.values];
  if (before === undefined && after === undefined) return undefined;
  const place = {
    base: findKeyword(base.sources, "enum", "const"),
    revision: findKeyword(revision.sources, "enum", "const"),
  };
  const gone = (before ?? []).filter((value) => !isIn(revision, value));
  const come = (after ?? []).filter((value) => !isIn(base, value));
  const facts: Fact[] = [
    ...gone.map((value): Fact => ({
      name: "enum-value-removed",
      effect: "narrower",
      before: value,
      ...place,
    })),
    ...come.map((value): Fact => ({ name: "enum-value-added", effect: "wider", after: value, ...place })),
  ];
  if (isUnjudged(base) || isUnjudged(revision)) {
    facts.push({ name: "values-not-compared", effect: "unknown", ...place });
  }
  if (before === undefined) facts.push({ name: "enum-added", effect: "narrower", after, ...place });
  if (after === undefined) facts.push({ name: "enum-removed", effect: "wider", before, ...place });
  return facts;
}

/** Whether a shape says of values what `accepts` does not look at. */
function isUnjudged(shape: Shape): boolean {
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
