import { compareArrays } from "./compare-arrays.js";
import { compareLengths, compareRanges, type Pair } from "./compare-limits.js";
import { compareObjects } from "./compare-objects.js";
import { compareFormats, comparePatterns } from "./compare-text.js";
import { compareValues } from "./compare-values.js";
import { type Expansion, merge } from "./expansion.js";
import { type Fact, findKeyword } from "./fact.js";
import type { Conjunction, Shape } from "./shape.js";

/** Whether two schemas that are only compared have the same values. */
export type IsSame = (base: Conjunction, revision: Conjunction) => boolean;

/** Compares two shapes of one kind. */
export function compareShapes(base: Shape, revision: Shape, isSame: IsSame): Expansion {
  const pair = { base, revision };
  const opaque: Expansion = { facts: compareOpaque(pair, isSame), edges: [] };
  const values = compareValues(pair);
  if (values !== undefined) return merge([{ facts: values, edges: [] }, opaque]);
  return merge([compareKinds(base, revision), opaque]);
}

function compareKinds(base: Shape, revision: Shape): Expansion {
  if (base.kind === "object" && revision.kind === "object") return compareObjects({ base, revision });
  if (base.kind === "array" && revision.kind === "array") return compareArrays({ base, revision });
  if (base.kind === "string" && revision.kind === "string") {
    const pair = { base, revision };
    return { facts: [...compareLengths(pair), ...comparePatterns(pair), ...compareFormats(pair)], edges: [] };
  }
  if (base.kind === "number" && revision.kind === "number") {
    const pair = { base, revision };
    return { facts: [...compareRanges(pair), ...compareFormats(pair)], edges: [] };
  }
  return { facts: [], edges: [] };
}

/** Keywords whose meaning is not computed: `not`, `if`, `contains` and others are the same, or nobody knows. */
function compareOpaque({ base, revision }: Pair<Shape>, isSame: IsSame): readonly Fact[] {
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
    base: findKeyword(base.sources, keyword),
    revision: findKeyword(revision.sources, keyword),
  }));
}
