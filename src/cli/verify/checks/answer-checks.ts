import { checkAccepted } from "./accepted.js";
import { checkBody } from "./body.js";
import type { Check } from "./check.js";
import { checkContentType } from "./content-type.js";
import { checkDeprecation } from "./deprecation.js";
import { checkHeaders } from "./headers.js";
import { checkLeak } from "./leak.js";
import { checkLimit } from "./limit.js";
import { checkRefused } from "./refused.js";
import { checkServerError } from "./server-error.js";
import { checkStatus } from "./status.js";

/** What every answer to an operation goes through. */
export const ANSWER_CHECKS: readonly Check[] = [
  checkServerError,
  checkStatus,
  checkContentType,
  checkBody,
  checkHeaders,
  checkAccepted,
  checkRefused,
  checkDeprecation,
  checkLimit,
  checkLeak,
];
