/** The parts of a contract that tests can cover. */
export * from "./contract-coverage.js";
export * from "./schema-coverage.js";
