export { countChoices } from "./count-choices.js";
export { findBacktracking } from "./find-backtracking.js";
