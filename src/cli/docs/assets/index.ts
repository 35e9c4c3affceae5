/** Files of the docs site, and the styles and browser scripts that they are made of. */
export { loadBrowserScript, loadStyles } from "./assets.js";
export { toContractScript, toDatedScript } from "./contract-script.js";
export * from "./docs-file.js";
export { createPagePolicy, PAGE_POLICY } from "./page-policy.js";
export { loadRedoc, loadRedocLicenses, REDOC_LICENSES } from "./redoc-bundle.js";
