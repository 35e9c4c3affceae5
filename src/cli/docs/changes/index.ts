/** Pages of changes: the changelog of a contract and reports of comparisons. */
export { CHANGELOG_LINK, createChangelogFiles } from "./changelog-files.js";
export { createChangelogPage } from "./changelog-page.js";
export { createDiffPage } from "./diff-page.js";
export { readChangelog } from "./read-changelog.js";
