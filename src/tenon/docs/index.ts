/** Serves a docs site that `tenon docs` has built. */
export { createDocsRouter, createFilesRouter, type DocsRouterOptions, type ServedFile } from "./router.js";
export { type Site, SITE_FILE, type SiteFile } from "./site.js";
