/** Internals of webhooks that `@tenon/cli` uses. They may change in any release. */
export { toSentRequests } from "./webhook-contract.js";
export { createWrite } from "./send/write-event.js";
