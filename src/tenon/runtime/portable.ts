/**
 * The part of the runtime that needs neither Node nor Express, and that evaluates no code. `@tenon/cli` uses it in browsers. It may
 * change in any release.
 */
export { toContract } from "./contract/to-contract.js";
export type { Problem, ErrorContentOptions } from "./errors/error-content.js";
export { HttpError, type Violation } from "./errors/http-error.js";
export { createFetchHandler, type FetchHandler, type ReceivedRequest } from "./fetch/fetch-handler.js";
export type { ReplyHeaders } from "./http/send-whole.js";
export { Reply, type ReplyContent } from "./response/reply.js";
export type { Handler, HandlerRequest, MakeHandler, Unhandled } from "./routing/route.js";
