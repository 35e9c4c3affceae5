/** Media types and statuses. */
export * from "./media-type.js";
export * from "./status.js";
