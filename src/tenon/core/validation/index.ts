/** Assertions and messages that the runtime and the generated validators share. */
export * from "./closest-alternative.js";
export { type EqualItems, EqualValues, findEqualItems } from "./equal-values.js";
export { buildCalls, type CallBuilder, findDefaults } from "./keyword-calls.js";
export { isMultiple } from "./multiple-of.js";
export * from "./schema-problem.js";
export { TEXT_FORMATS } from "./text-formats.js";
