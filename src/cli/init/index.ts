/** This package and the package.json of a new service. Loads nothing of `tenon`, which may not be installed. */
export { findInstallProblem, PACKAGE_ROOT, readOwnPackage } from "./own-package.js";
export { createPackageJson, findOwnSource } from "./package-json.js";
export { toProblemDetails } from "./problem-details.js";
