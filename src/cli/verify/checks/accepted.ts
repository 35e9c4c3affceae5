import { findResponse } from "../target.js";
import { describeWrong } from "../draft.js";
import type { Check } from "./check.js";

/** These speak of the state of the service, of who calls, or of limits that the contract does not have. */
const NOT_OF_THE_REQUEST = new Set([
  401, 402, 403, 408, 409, 410, 412, 413, 414, 423, 424, 425, 428, 429, 431, 451,
]);

/**
 * What is valid in all that the contract says has to be accepted. Where a refusal may have a reason that the contract cannot
 * say, and is declared, nothing is told: see the decision "verifying a service".
 */
export const checkAccepted: Check = ({ draft, answer: { status } }, { isVouched }) => {
  const { operation, expectation, wrong } = draft;
  if (expectation !== "accepted" || status < 400 || status >= 500) return [];
  // Told as an undeclared status.
  if (findResponse(operation, status) === undefined) return [];
  if (NOT_OF_THE_REQUEST.has(status)) return [];
  if (status === 404 && operation.path.includes("{")) return [];
  // Beside 400 it is for what a schema does not say, such as a key that was used before.
  if (status === 422 && operation.responses.has("400")) return [];
  if ((status === 400 || status === 422 || status === 404) && !isVouched(draft)) return [];
  const limit = wrong === undefined ? "" : ` (${describeWrong(wrong)})`;
  return [
    {
      check: "accepted",
      message: `A request that the contract allows is refused with ${status}${limit}`,
      detail: `${status}${limit}`,
      ...(wrong === undefined && { vague: true as const }),
    },
  ];
};
