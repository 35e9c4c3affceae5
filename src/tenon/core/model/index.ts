/** Model of a contract. */
export { buildContract, type BuildOptions, listSchemas } from "./build-contract.js";
export { toParameterKey } from "./build-parameters.js";
export { declaresLastEventId } from "./build-items.js";
export { findOwnBasePath, toServerUrl } from "./build-servers.js";
export type { Report } from "./context.js";
export * from "./content.js";
export * from "./contract.js";
export { hasFiles, isBinary } from "./form-shape.js";
export * from "./names.js";
export { type OutgoingOperation, toOutgoingOperations } from "./build-outgoing.js";
export { findPagination, type Pagination } from "./pagination.js";
