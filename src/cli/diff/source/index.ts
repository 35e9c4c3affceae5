/** Reads contracts from files, URLs and git revisions. */
export {
  type ContractSource,
  findFile,
  findSource,
  type ReadContract,
  readContract,
} from "./contract-source.js";
export { type GitRevision, isMissing, openRevision, runGit } from "./git.js";
