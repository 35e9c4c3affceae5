/** The docs site of a contract. */
export type { Changelog } from "../changelog/index.js";
export { type DocsFile, INDEX } from "./assets/index.js";
export { readChangelog } from "./changes/index.js";
export { isCallableOrigin } from "./console/index.js";
export { createDocsSite, type DocumentedContract, type SiteOptions } from "./site/create-site.js";
export { createSites, type Sites } from "./site/create-sites.js";
export { type DocumentedSource, findContracts } from "./site/find-contracts.js";
export type { DocsVersion } from "./site/reference-page.js";
export { serveSites, type ServeOptions } from "./site/serve-sites.js";
export { writeSite } from "./site/write-site.js";
