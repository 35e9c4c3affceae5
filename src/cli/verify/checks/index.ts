/** Checks of one response, and the validator of its values. Runs in browsers, too. */
import { checkBody, checkContentType, checkUndeclared } from "./body.js";
import { checkDeprecation, checkHeaders } from "./headers.js";
import type { Check } from "./finding.js";
import { checkLeak } from "./leak.js";
import { checkLimit } from "./limit.js";
import { checkAccepted, checkRefused, checkServerError, checkStatus } from "./status.js";

export { checkBody, type DescribedBody, findWholeSchema, readBody } from "./body.js";
export * from "./finding.js";
export { findInvalidText } from "./headers.js";
export { findUndeclared } from "./undeclared.js";
export { findLimit, toItems } from "./limit.js";
export { declares } from "./status.js";
export { createValidator, type Validator } from "../validator.js";

/** The checks of every response. */
export const RESPONSE_CHECKS: readonly Check[] = [
  checkServerError,
  checkStatus,
  checkContentType,
  checkBody,
  checkUndeclared,
  checkHeaders,
  checkAccepted,
  checkRefused,
  checkDeprecation,
  checkLimit,
  checkLeak,
];
