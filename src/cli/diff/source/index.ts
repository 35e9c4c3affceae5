/** Reads contracts from files, URLs and git revisions. */
export * from "./contract-source.js";
export * from "./git.js";
