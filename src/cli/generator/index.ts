/** Generates the files of APIs from their contracts, and plans what changes on disk. */
export { describeChanges } from "./describe-changes.js";
export { emitApi, type EmittedApi } from "./emit-api.js";
export { createGenerator, type Generator, type Plan } from "./generator.js";
