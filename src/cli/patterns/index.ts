export { findBacktracking, isCostly } from "./find-backtracking.js";
