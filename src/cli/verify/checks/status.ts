import { findResponse } from "../target.js";
import type { Check } from "./check.js";

/**
 * A 5xx that is not declared is told as a server error. Where the service limits rates, 429 comes before the operation, and
 * a contract may leave it to the gateway in front.
 */
export const checkStatus: Check = ({ draft, answer: { status } }) => {
  if (status >= 500 || status === 429 || findResponse(draft.operation, status) !== undefined) return [];
  const declared = [...draft.operation.responses.keys()].join(", ");
  return [
    {
      check: "status",
      message: `Status ${status} is not declared; the contract has ${declared}`,
      detail: String(status),
    },
  ];
};
