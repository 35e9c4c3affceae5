/** Exact parsing of JSON: a value that JavaScript would change is refused. */
export * from "./find-json-problem.js";
export { formatJson } from "./format-json.js";
export { findStringEnd } from "./find-string-end.js";
export * from "./parse-exact-json.js";
