/** Compares schemas by the sets of values that they allow. */
export type { Difference } from "./compare/difference.js";
export { SchemaGraph } from "./graph.js";
export { type Conjunction, toConjunction } from "./normal-form/conjunction.js";
export { toCanonical } from "./normal-form/values.js";
