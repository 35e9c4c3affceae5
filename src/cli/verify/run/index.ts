/** A run of test cases against a service. */
export { type CreatedResources, createCreatedResources } from "./created-resources.js";
export { type Creation, findCreations, listProperties } from "./creations.js";
export { createRun, type Run, type RunPhase } from "./run.js";
