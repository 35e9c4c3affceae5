/** The docs site's public face. */
export { DOCS_CONTENT_SECURITY_POLICY } from "./policy.js";
export { createContractFilesRouter, createDocsRouter, type DocsRouterOptions } from "./router.js";
export { createDocsSite, type DocsFile, type DocumentedContract, type SiteOptions } from "./site.js";
