/** Internals of the runtime that `@tenon/cli` uses. They may change in any release. */
export type { ErrorContentOptions } from "./errors/error-content.js";
export { describeOperation } from "./operation.js";
export type { ReplyContent, ReplyHeaders } from "./response/reply.js";
