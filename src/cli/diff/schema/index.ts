/** Compares schemas by the sets of values that they allow. */
export type { Difference } from "./compare/index.js";
export { type Conjunction, toCanonical, toConjunction } from "./normal-form/index.js";
export { SchemaGraph } from "./graph.js";
