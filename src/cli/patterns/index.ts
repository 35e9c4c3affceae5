export { findBacktracking, isExponential } from "./find-backtracking.js";
