/** Builds the changelog of a contract from its git history. */
export { buildChangelog } from "./build.js";
export * from "./changelog.js";
export { openHistory } from "./history.js";
export { toMarkdown } from "./markdown.js";
export { listStates, parseRange } from "./states.js";
