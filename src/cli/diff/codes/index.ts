/** The stable codes of changes, their levels and explanations. */
export { type Level, LEVELS } from "../change.js";
export { CODES } from "./codes.js";
export type { ContractCode } from "./contract-codes.js";
export { levelOf, SCHEMA_CODES, type SchemaCode } from "./schema-codes.js";
export type { Effect } from "./schema-rule.js";
