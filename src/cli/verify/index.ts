/** Tests a running service against its contract and reports every mismatch. */
export { createResponseCheck } from "./declared.js";
export { createClient, type Limits, Unreachable } from "./http.js";
export { type Credentials, toVariable, type WireRequest, writeCredentials } from "./messages/index.js";
export { inOrder, toHtml, toJunit, toText } from "./report.js";
export type { Failure, OperationResult, VerifyResult } from "./result.js";
export { verify, type VerifyOptions } from "./verify.js";
export { createValidator, type Validator } from "./validator.js";
