import { compareLifecycles } from "../compare-lifecycles.js";
import type { Annotations } from "./annotations.js";
import type { Fact } from "./fact.js";
import { toCanonical } from "./values.js";

/** Compares what schemas say beside which values there are. */
export function compareAnnotations(
  before: Annotations,
  after: Annotations,
  places: { readonly base: string; readonly revision: string },
): readonly Fact[] {
  const facts: Fact[] = [];
  const [old, current] = [before.default, after.default];
  if (old !== undefined || current !== undefined) {
    const at = {
      before: old?.value,
      after: current?.value,
      base: old?.pointer ?? places.base,
      revision: current?.pointer ?? places.revision,
    };
    if (old === undefined) facts.push({ name: "default-added", effect: "none", ...at });
    else if (current === undefined) facts.push({ name: "default-removed", effect: "none", ...at });
    else if (toCanonical(old.value) !== toCanonical(current.value))
      facts.push({ name: "default-changed", effect: "none", ...at });
  }
  for (const { name, ...values } of compareLifecycles(before.lifecycle, after.lifecycle)) {
    facts.push({ name: `schema-${name}`, effect: "none", lifecycle: after.lifecycle, ...values, ...places });
  }
  return facts;
}
