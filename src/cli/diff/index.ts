/** Compares two contracts and classifies every change. */
export * from "./change.js";
export { CODES } from "./codes/index.js";
export * from "./diff-contracts.js";
export { type ChangeGroup, groupChanges, showOperations } from "./group-changes.js";
export * from "./impact.js";
export { withImpact } from "./with-impact.js";
