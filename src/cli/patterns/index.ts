export { findBacktracking } from "./find-backtracking.js";
