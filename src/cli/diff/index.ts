/** Compares two contracts and classifies every change. */
export * from "./change.js";
export { CODES, type DiffSettings } from "./codes/index.js";
export * from "./diff-contracts.js";
export { type ChangeGroup, groupChanges, showOperations } from "./group-changes.js";
