/** Requests, their credentials and how they are written; responses. Runs in browsers, too. */
export * from "./credentials.js";
export * from "./response.js";
export * from "./test-case.js";
export {
  isJsonText,
  isLoopback,
  toFieldStyles,
  toStyles,
  toUrlPath,
  tryWriteRequest,
  type WireRequest,
  writeRequest,
} from "./write-request.js";
