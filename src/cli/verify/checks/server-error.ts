import type { Check } from "./check.js";

/**
 * No request may make a service fail, valid or not; that the contract declares 500 changes nothing. Declared 501 (not there
 * yet) and 503 (not now) are answers.
 */
export const checkServerError: Check = ({ draft, answer }) => {
  const { status } = answer;
  if (status < 500) return [];
  const { operation } = draft;
  if ((status === 501 || status === 503) && operation.responses.has(String(status))) return [];
  return [{ check: "server-error", message: `The service fails with ${status}`, detail: String(status) }];
};
