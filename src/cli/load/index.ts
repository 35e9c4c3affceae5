/** Reads, lints and bundles the files of a contract. */
export {
  lintContract,
  loadContract,
  type LoadedContract,
  type LoadOptions,
  type ReadFile,
  type RuleSeverity,
} from "./load.js";
export { toPosition, toStart } from "./locate.js";
export { readDocument, throwOnErrors } from "./read-document.js";
export { toProblems } from "./redocly-problems.js";
export { REQUIRED_RULES, withOwnPlugin } from "./required-rules.js";
