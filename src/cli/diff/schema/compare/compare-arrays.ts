import type { Sides } from "../../sides.js";
import { compareItemCounts } from "./compare-limits.js";
import { type Difference, type Edge, type Expansion, placeOfKeyword } from "./difference.js";
import type { ArrayShape } from "../normal-form/index.js";

export function compareArrays(pair: Sides<ArrayShape>): Expansion {
  const { base, revision } = pair;
  const differences: Difference[] = [...compareItemCounts(pair)];
  if (base.unique !== revision.unique) {
    differences.push({
      name: revision.unique ? "unique-items-added" : "unique-items-removed",
      effect: revision.unique ? "narrower" : "wider",
      before: base.unique,
      after: revision.unique,
      base: placeOfKeyword(base.sources, "uniqueItems"),
      revision: placeOfKeyword(revision.sources, "uniqueItems"),
    });
  }
  // Items beyond the longest array do not matter.
  const longest = Math.max(base.maxItems, revision.maxItems);
  const places = Math.max(base.prefix.length, revision.prefix.length);
  const edges = Array.from({ length: Math.min(places, longest) }, (_, index): Edge => ({
    step: `[${index}]`,
    base: base.prefix[index] ?? base.rest,
    revision: revision.prefix[index] ?? revision.rest,
  }));
  // The limit of the shorter side is already reported.
  const bothGoOn = Math.min(base.maxItems, revision.maxItems) > places;
  if (bothGoOn) edges.push({ step: "[]", base: base.rest, revision: revision.rest });
  return { differences, edges };
}
