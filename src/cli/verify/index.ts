/** Tests a running service against its contract and reports every mismatch. */
export { type Limits, Unreachable } from "./http/index.js";
export { type Credentials, toVariable } from "./messages/index.js";
export * from "./report/index.js";
export type { Failure, OperationResult, VerifyResult } from "./result.js";
export { verify, type VerifyOptions } from "./verify.js";
