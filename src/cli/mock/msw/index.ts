/** Handlers for Mock Service Worker, in Node and browsers. */
export { createHandlers, type HandlersOptions } from "./create-handlers.js";
export type { MockHandlers, Resolver, ResolverCall, ResolverOptions } from "./types.js";
