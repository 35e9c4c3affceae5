import type { Level } from "../change.js";

/** Effect of a difference on the set of values: fewer, more, both or undecided, or the same. */
export type Effect = "narrower" | "wider" | "unknown" | "none";

export interface SchemaRule {
  /** Determines the levels unless they are given below. */
  readonly effect: Effect | "either";
  readonly counterpart: string;
  readonly request?: Level;
  readonly response?: Level;
  /** Follows the name of the place in a sentence: `is limited to certain values`. */
  readonly text: string;
}
