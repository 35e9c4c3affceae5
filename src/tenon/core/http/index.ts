/** Media types and statuses. */
export * from "./event-stream.js";
export * from "./item-format.js";
export * from "./item-parser.js";
export * from "./link.js";
export * from "./loopback.js";
export * from "./media-type.js";
export * from "./methods.js";
export * from "./part-splitter.js";
export * from "./parts.js";
export * from "./runtime-expression.js";
export * from "./status.js";
