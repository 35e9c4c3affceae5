/** The docs site's public face. */
export { createDocsRouter } from "./router.js";
export {
  createDocsSite,
  DOCS_CONTENT_SECURITY_POLICY,
  type DocsFile,
  type DocumentedContract,
} from "./site.js";
