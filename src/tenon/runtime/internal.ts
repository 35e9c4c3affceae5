/** Internals of the runtime that `@tenon/cli` uses. They may change in any release. */
export type { ErrorContentOptions } from "./errors/error-content.js";
export { findBodySchema } from "./body/request-content.js";
export { describeOperation } from "./contract/operation.js";
export type { ReplyHeaders } from "./http/send-whole.js";
export type { ReplyContent } from "./response/reply.js";
export { isLocalRequest, NOT_LOCAL } from "./server/local-requests.js";
