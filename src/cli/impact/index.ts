/** Finds the code that the changes of a contract affect, by asking the compiler. */
export { formatDiagnostic, readTsconfig } from "./compiler.js";
export { findMembers, handlerName, withoutTypes } from "./code/handlers.js";
export { fromCompiler, toSlashes } from "./memory-files.js";
export { findImpact, type ImpactOptions, noImpact } from "./find-impact.js";
export type * from "./impact.js";
export type { CodeProject, Generated, GeneratedSides } from "./sides.js";
