/** A parsed document: its nodes, pointers, references and problems. */
export * from "./references.js";
export * from "./contract-error.js";
export { resolveDynamicReferences, type ResolvedDocument } from "./dynamic-references.js";
export { countUnfolded, createExtractor, mapReferences } from "./extract.js";
export * from "./lifecycle.js";
export * from "./node.js";
export { escapeKey, getByPointer, getOwn, getValue, joinPointer, parsePointer } from "./pointer.js";
export type { Problem, ProblemFix, SourcePosition } from "./contract-error.js";
export { getReference, type LookUp, Source, type Target, toSchemaNode } from "./source.js";
export { type Dialect, findVersionProblem } from "./version.js";
export { collectTexts } from "./texts.js";
export { collectWireParts, type WirePart } from "./wire-parts.js";
