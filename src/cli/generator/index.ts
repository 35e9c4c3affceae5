/** Generates the files of APIs from their contracts, and plans what changes on disk. */
export { describeChange, printChanges, printWarnings } from "./changes.js";
export { createGenerator, emitApi, type Plan } from "./generator.js";
