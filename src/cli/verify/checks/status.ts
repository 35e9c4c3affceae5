import { findResponse } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import { type Constraint, describeConstraint, isSuccess } from "../messages/index.js";
import type { Check, DeclarationCheck } from "./finding.js";

/**
 * Every status is declared. An undeclared 5xx is a server error. Rate limits respond with 429 before the operation runs, and a
 * contract may leave them to the gateway.
 */
export const checkStatus: DeclarationCheck = ({ testCase: { operation }, response: { status } }) => {
  if (status >= 500 || status === 429 || findResponse(operation.responses, status) !== undefined) return [];
  const declared = operation.responses.map((response) => response.status).join(", ");
  const message = `Status ${status} is not declared; the contract declares ${declared}`;
  return [{ check: "status", message, detail: String(status), shared: true }];
};

/**
 * No request makes a service fail, valid or not, even where the contract declares 500. A declared 501 (not implemented) or 503
 * (unavailable) is not a failure.
 */
export const checkServerError: Check = ({ testCase: { operation }, response: { status } }) => {
  if (status < 500) return [];
  if ((status === 501 || status === 503) && declares(operation, status)) return [];
  return [{ check: "server-error", message: `The service fails with ${status}`, detail: String(status) }];
};

/** These depend on the state of the service, on the caller, or on limits outside the contract. */
const UNRELATED = new Set([401, 402, 403, 408, 409, 410, 412, 413, 414, 423, 424, 425, 428, 429, 431, 451]);

/**
 * Valid requests are accepted. A declared refusal for which the service may have reasons that the contract cannot express is
 * not reported: see the decision "verifying a service".
 */
export const checkAccepted: Check = ({ testCase, response: { status } }, { isPredictable }) => {
  const { operation, expectation, constraint } = testCase;
  if (expectation !== "accepted" || status < 400 || status >= 500 || UNRELATED.has(status)) return [];
  // An undeclared status is a finding of its own.
  if (findResponse(operation.responses, status) === undefined) return [];
  if (status === 404 && operation.path.includes("{")) return [];
  // An operation that also declares 400 uses it for what no schema can express, such as a name that is taken.
  if (status === 422 && declares(operation, 400)) return [];
  if ((status === 400 || status === 422 || status === 404) && !isPredictable(testCase)) return [];
  const message = `A valid request is refused with ${status}`;
  if (constraint === undefined) return [{ check: "accepted", message, detail: String(status), vague: true }];
  const { detail, place } = toCause(constraint);
  const limit = describeConstraint(constraint);
  return [
    {
      check: "accepted",
      message: `${message} (${limit})`,
      detail: `${status} ${detail}`,
      place,
      shared: true,
    },
  ];
};

/** Invalid requests are refused. Other checks report an undeclared 4xx and a 5xx. */
export const checkRefused: Check = ({ testCase: { expectation, constraint }, response: { status } }) => {
  if (expectation !== "refused" || constraint === undefined || !isSuccess(status)) return [];
  const message = `An invalid request is accepted with ${status}: it violates ${describeConstraint(constraint)}`;
  const { detail, place, name } = toCause(constraint);
  return [
    { check: "refused", message, detail, place, shared: true, unenforced: `${detail.split(" ")[0]} ${name}` },
  ];
};

/** A service that ignores a keyword usually does so everywhere: `required name` and `required age` have the same cause. */
function toCause({ keyword, path }: Constraint) {
  const [detail, name] = /^(?:required|optional) (?=.)/.test(keyword) ? keyword.split(/ (.*)/s) : [keyword];
  const place = [...path, ...(name === undefined ? [] : [name])];
  return {
    detail: detail ?? keyword,
    place: place.join("/"),
    name: place.findLast((key) => typeof key === "string") ?? "",
  };
}

/** Tests whether an operation declares a status itself, not by a range or `default`. */
export function declares({ responses }: Pick<Operation, "responses">, status: number): boolean {
  return responses.some((response) => response.status === String(status));
}
