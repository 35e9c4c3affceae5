/** Compares everything of a contract: one file a part of the contract. */
export { compareContracts, type CompareOptions, NOT_COMPARED } from "./compare-contracts.js";
export { readVersion } from "./metadata.js";
