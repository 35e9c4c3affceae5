/** Pages of changes: the changelog of a contract and reports of comparisons. */
export { createChangelogPage } from "./changelog-page.js";
export { createDiffPage } from "./diff-page.js";
