import type { Operation, Response } from "tenon/core/model";
import { reportChange, type Scope } from "./scope.js";
import type { Sides } from "../sides.js";
import { compareContent } from "./bodies.js";
import { compareHeaders } from "./response-headers.js";

type Responses = ReadonlyMap<string, Response>;

/** Compares responses by status. A status that the other contract only has as a range or `default` is compared with that. */
export function compareResponses(operations: Sides<Operation>, scope: Scope): void {
  const base = byStatus(operations.base);
  const revision = byStatus(operations.revision);
  for (const [status, response] of base) {
    const other = revision.get(status) ?? findCovering(status, revision);
    if (other !== undefined) {
      compareResponse(status, { base: response, revision: other }, scope);
      continue;
    }
    // Statuses that replace a range are compared below.
    const code =
      isSuccess(status) && !isNarrowed(status, revision)
        ? "response-success-removed"
        : "response-status-removed";
    reportChange(
      code,
      { message: `The response ${status} was removed`, at: { base: response }, before: status },
      scope,
    );
  }
  for (const [status, response] of revision) {
    if (base.has(status)) continue;
    const other = findCovering(status, base);
    if (other !== undefined) {
      compareResponse(status, { base: other, revision: response }, scope);
      continue;
    }
    const code = isSuccess(status) ? "response-success-added" : "response-status-added";
    reportChange(
      code,
      { message: `The response ${status} is new`, at: { revision: response }, after: status },
      scope,
    );
  }
}

function compareResponse(status: string, responses: Sides<Response>, scope: Scope): void {
  const owner = status === "default" ? "the default response" : `the response ${status}`;
  const name = owner.replace("t", "T");
  compareHeaders(responses, owner, scope);
  const [before, after] = [responses.base, responses.revision].map(({ mediaTypes }) => mediaTypes.length > 0);
  if (before && after) {
    compareContent(responses, { direction: "response", name }, scope);
  } else if (before !== after) {
    const code = after ? "response-body-added" : "response-body-removed";
    reportChange(
      code,
      { message: `${name} ${after ? "has a" : "no longer has a"} body`, at: responses },
      scope,
    );
  }
}

/** Finds the range of a status, else `default`, which means errors where a success is declared. */
function findCovering(status: string, responses: Responses): Response | undefined {
  if (status === "default") return undefined;
  const range = responses.get(`${status.charAt(0)}XX`);
  if (range !== undefined) return range;
  const isForErrors = isSuccess(status) && [...responses.keys()].some(isSuccess);
  return isForErrors ? undefined : responses.get("default");
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** Tests whether statuses of a range replace it. */
function isNarrowed(status: string, responses: Responses): boolean {
  return status.endsWith("XX") && [...responses.keys()].some((other) => other.startsWith(status.charAt(0)));
}

function byStatus({ responses }: Operation): Responses {
  return new Map(responses.map((response) => [response.status, response]));
}
