import { compareItemCounts, type Pair } from "./compare-limits.js";
import type { Edge, Expansion } from "./expansion.js";
import { type Fact, findKeyword } from "./fact.js";
import type { ArrayShape } from "./shape.js";

export function compareArrays(pair: Pair<ArrayShape>): Expansion {
  const { base, revision } = pair;
  const facts: Fact[] = [...compareItemCounts(pair)];
  if (base.unique !== revision.unique) {
    facts.push({
      name: revision.unique ? "unique-items-added" : "unique-items-removed",
      effect: revision.unique ? "narrower" : "wider",
      before: base.unique,
      after: revision.unique,
      base: findKeyword(base.sources, "uniqueItems"),
      revision: findKeyword(revision.sources, "uniqueItems"),
    });
  }
  // What cannot be there makes no difference.
  const longest = Math.max(base.maxItems, revision.maxItems);
  const places = Math.max(base.prefix.length, revision.prefix.length);
  const edges = Array.from({ length: Math.min(places, longest) }, (_, index): Edge => ({
    step: `[${index}]`,
    base: base.prefix[index] ?? base.rest,
    revision: revision.prefix[index] ?? revision.rest,
  }));
  // Where one side ends, its bound has told it.
  const bothGoOn = Math.min(base.maxItems, revision.maxItems) > places;
  if (bothGoOn) edges.push({ step: "[]", base: base.rest, revision: revision.rest });
  return { facts, edges };
}
