/** Reads, lints and bundles the files of a contract. */
export { isBelow, isContained, isFile, listOverlays, type ReadFile, toReal } from "./contained-resolver.js";
export { buildWithoutProblems, removeInvalidDefaults } from "./invalid-defaults.js";
export type { Part } from "./leave-out.js";
export {
  findParts,
  lintContract,
  loadContract,
  type LoadedContract,
  type LoadOptions,
  type RuleSeverity,
} from "./load.js";
export { assertExpandable } from "./expansion.js";
export { assertTextual, toPosition, toStart } from "./locate.js";
export { readDocument, throwOnErrors } from "./read-document.js";
export { toProblems } from "./redocly-problems.js";
export { REQUIRED_RULES, withOwnPlugin } from "./required-rules.js";
