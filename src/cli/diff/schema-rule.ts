import type { Level } from "./change.js";
import type { Effect } from "./schema/fact.js";

export interface SchemaRule {
  /** Of how the set of values changes; decides the levels where none is stated. */
  readonly effect: Effect | "either";
  readonly counterpart: string;
  readonly request?: Level;
  readonly response?: Level;
  /** What is different, completing the name of the place. */
  readonly text: string;
}
