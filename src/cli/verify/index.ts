/** Tests a running service against its contract and reports every mismatch. */
export { type Limits, Unreachable } from "./http.js";
export { type Credentials, toVariable } from "./messages/index.js";
export { toHtml } from "./report/html.js";
export { toJunit } from "./report/junit.js";
export { inOrder, toText } from "./report/text.js";
export type { Failure, OperationResult, VerifyResult } from "./result.js";
export { verify, type VerifyOptions } from "./verify.js";
