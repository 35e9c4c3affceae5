/** Pages of changes: the changelog of a contract and reports of comparisons. */
export { CHANGELOG_LINK, createChangelogFiles } from "./changelog-page.js";
export { createChangelogPage } from "./changelog-page.js";
export { type ChangesPage, createChangesPage } from "./changes-page.js";
export { renderChange, renderNotes, type ShownChange } from "./changes-page.js";
