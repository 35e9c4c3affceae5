/** The package.json of a new service. Loads nothing of `tenon`, which is not installed yet. */
export { PACKAGE_ROOT, readOwnPackage } from "./own-package.js";
export { findOwnSource } from "./own-source.js";
export { createPackageJson } from "./package-json.js";
