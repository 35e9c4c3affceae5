/** A parsed document: its nodes, pointers and references, and what can be wrong with it. */
export * from "./components.js";
export * from "./contract-error.js";
export * from "./instant.js";
export * from "./lifecycle.js";
export * from "./node.js";
export { escapeKey, getByPointer, getOwn, joinPointer, parsePointer } from "./pointer.js";
export type { Problem, SourcePosition } from "./problem.js";
export { type Dialect, type LookUp, Source, type Target } from "./source.js";
