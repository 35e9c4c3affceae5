/** The docs site's public face. */
export type { Changelog } from "../changelog/changelog.js";
export type { DocsVersion } from "./page.js";
export { readChangelog } from "./read-changelog.js";
export { createDocsSite, type DocsFile, type DocumentedContract, type SiteOptions } from "./site.js";
