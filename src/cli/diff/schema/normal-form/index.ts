/** Schemas as unions of shapes, in the same form for equal sets of values. */
export * from "./conjunction.js";
export * from "./formats.js";
export { Normalizer } from "./normalizer.js";
export { undeclaredSchemaOf } from "./property-schemas.js";
export * from "./shape.js";
export { isWholeKind } from "./simplify.js";
export * from "./values.js";
