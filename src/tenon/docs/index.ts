/** The docs site's public face. */
export type { Changelog } from "../changelog/changelog.js";
export type { DocsVersion } from "./page.js";
export { DOCS_CONTENT_SECURITY_POLICY } from "./policy.js";
export { readChangelog } from "./read-changelog.js";
export { createContractFilesRouter, createDocsRouter, type DocsRouterOptions } from "./router.js";
export { createDocsSite, type DocsFile, type DocumentedContract, type SiteOptions } from "./site.js";
