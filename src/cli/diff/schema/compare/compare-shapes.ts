import type { Sides } from "../../sides.js";
import { compareArrays } from "./compare-arrays.js";
import { compareLengths, compareRanges } from "./compare-limits.js";
import { compareObjects } from "./compare-objects.js";
import { compareFormats, comparePatterns } from "./compare-text.js";
import { compareValues } from "./compare-values.js";
import { type Difference, type Expansion, merge, placeOfKeyword } from "./difference.js";
import type { Conjunction, Shape } from "../normal-form/index.js";

/** Tests whether two schemas allow the same values. */
export type IsSame = (base: Conjunction, revision: Conjunction) => boolean;

/** Compares two shapes of one kind. */
export function compareShapes(base: Shape, revision: Shape, isSame: IsSame): Expansion {
  const pair = { base, revision };
  const opaque: Expansion = { differences: compareOpaque(pair, isSame), edges: [] };
  const values = compareValues(pair);
  if (values !== undefined) return merge([{ differences: values, edges: [] }, opaque]);
  return merge([compareKinds(base, revision), opaque]);
}

function compareKinds(base: Shape, revision: Shape): Expansion {
  if (base.kind === "object" && revision.kind === "object") return compareObjects({ base, revision });
  if (base.kind === "array" && revision.kind === "array") return compareArrays({ base, revision });
  if (base.kind === "string" && revision.kind === "string") {
    const pair = { base, revision };
    return {
      differences: [...compareLengths(pair), ...comparePatterns(pair), ...compareFormats(pair)],
      edges: [],
    };
  }
  if (base.kind === "number" && revision.kind === "number") {
    const pair = { base, revision };
    return { differences: [...compareRanges(pair), ...compareFormats(pair)], edges: [] };
  }
  return { differences: [], edges: [] };
}

/** Compares keywords such as `not`, `if` and `contains`, of which only equality is decided. */
function compareOpaque({ base, revision }: Sides<Shape>, isSame: IsSame): readonly Difference[] {
  const left = [...revision.opaque];
  const gone = base.opaque.filter((one) => {
    const index = left.findIndex(
      (other) =>
        other.keyword === one.keyword &&
        (one.schema && other.schema
          ? isSame(one.schema, other.schema)
          : one.text !== undefined && one.text === other.text),
    );
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  const keywords = new Set([...gone, ...left].map(({ keyword }) => keyword));
  return [...keywords].map((keyword) => ({
    name: "keyword-changed",
    effect: "unknown",
    subject: keyword,
    base: placeOfKeyword(base.sources, keyword),
    revision: placeOfKeyword(revision.sources, keyword),
  }));
}
