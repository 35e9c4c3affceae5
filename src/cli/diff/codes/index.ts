/** The stable codes of changes, their levels and explanations. */
export { CODES, isSchemaCode } from "./codes.js";
export { findPolicyLevel, listPolicyCodes, POLICIES, type Policy } from "./policies.js";
export type { ContractCode } from "./contract-codes.js";
export { type DiffSettings, readDiffSettings } from "./settings.js";
export {
  effectOf,
  explainOwn,
  isUndecided,
  levelOf,
  SAFE,
  SCHEMA_CODES,
  type SchemaCode,
} from "./schema-codes.js";
