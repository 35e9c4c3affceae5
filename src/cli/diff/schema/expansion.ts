import type { Fact } from "./fact.js";
import type { Conjunction } from "./shape.js";

/** A pair of schemas that the values of another pair are made of. */
export interface Edge {
  /** What follows the path of the owner: `.name`, `[]`. */
  readonly step: string;
  readonly base: Conjunction;
  readonly revision: Conjunction;
  /** Within alternatives that may overlap: more in one can mean fewer values in all. */
  readonly overlapping?: boolean;
}

/** What is different between two schemas themselves, and which pairs have to be looked into. */
export interface Expansion {
  readonly facts: readonly Fact[];
  readonly edges: readonly Edge[];
}

export function merge(expansions: readonly Expansion[]): Expansion {
  return {
    facts: expansions.flatMap(({ facts }) => facts),
    edges: expansions.flatMap(({ edges }) => edges),
  };
}
