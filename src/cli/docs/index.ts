/** The docs site of a contract. */
export { type DocsFile, INDEX } from "./assets/docs-file.js";
export { isCallableOrigin } from "./console/console-files.js";
export { createDocsSite, type DocumentedContract, type SiteOptions } from "./site/create-site.js";
export { createSites, type Sites } from "./site/create-sites.js";
export { findContracts } from "./site/find-contracts.js";
export { serveSites, type ServeOptions } from "./site/serve-sites.js";
export { writeSite } from "./site/write-site.js";
