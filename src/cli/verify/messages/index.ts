/** Requests, their credentials and how they are written; responses. Runs in browsers, too. */
export * from "./credentials.js";
export * from "./response.js";
export * from "./test-case.js";
export { tryWriteRequest, type WireRequest, writeRequest } from "./write-request.js";
