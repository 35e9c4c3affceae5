/** Reads contracts from files, URLs and git revisions. */
export { findCodeProject } from "./code-project.js";
export { type ContractSource, findFile, findSource } from "./contract-source.js";
export { type GitRevision, isMissing, openRevision, runGit } from "./git.js";
export { readContract } from "./read-contract.js";
