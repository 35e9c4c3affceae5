/** Tests a running service against its contract and reports every mismatch. */
export { type Limits, Unreachable } from "./http.js";
export { type Credentials, isLoopback, toVariable } from "./messages/index.js";
export { inOrder, toHtml, toJunit, toText } from "./report.js";
export type { Failure, OperationResult, VerifyResult } from "./result.js";
export { verify, type VerifyOptions } from "./verify.js";
export { createValidator, type Validator } from "./validator.js";
