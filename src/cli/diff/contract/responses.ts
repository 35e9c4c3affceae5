import type { Operation, Response, ResponseHeader } from "tenon/core/model";
import { pairBy, type Sides } from "../sides.js";
import { compareContent } from "./bodies.js";
import { compareLifecycle, reportRemoval, withPromise } from "./lifecycle.js";
import { compareSchemas } from "./schemas.js";
import { compareRequired, reportChange, type Scope } from "./scope.js";

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
    const isGone = isSuccess(status) && !isNarrowed(status, revision);
    const code = isGone ? "response-success-removed" : "response-status-removed";
    const message = `The response ${status} was removed`;
    reportChange(code, { message, at: { base: response }, before: status }, scope);
  }
  for (const [status, response] of revision) {
    if (base.has(status)) continue;
    const other = findCovering(status, base);
    if (other !== undefined) {
      compareResponse(status, { base: other, revision: response }, scope);
      continue;
    }
    const code = isSuccess(status) ? "response-success-added" : "response-status-added";
    const message = `The response ${status} is new`;
    reportChange(code, { message, at: { revision: response }, after: status }, scope);
  }
}

function byStatus({ responses }: Operation): Responses {
  return new Map(responses.map((response) => [response.status, response]));
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

function compareResponse(status: string, at: Sides<Response>, scope: Scope): void {
  const owner = status === "default" ? "default response" : `response ${status}`;
  const name = `The ${owner}`;
  compareHeaders(at, owner, scope);
  const [before, after] = [at.base, at.revision].map(({ mediaTypes }) => mediaTypes.length > 0);
  if (before && after) {
    compareContent(at, { direction: "response", name }, scope);
  } else if (before !== after) {
    const code = after ? "response-body-added" : "response-body-removed";
    reportChange(code, { message: `${name} ${after ? "has a" : "no longer has a"} body`, at }, scope);
  }
}

/** @param owner `response 200` */
function compareHeaders({ base, revision }: Sides<Response>, owner: string, scope: Scope): void {
  const headers = { base: base.headers, revision: revision.headers };
  for (const { base: before, revision: after } of pairBy(headers, ({ name }) => name.toLowerCase())) {
    const header = `header "${(after ?? before)?.name ?? ""}"`;
    if (before === undefined) {
      const message = `The ${owner} has the ${header}`;
      reportChange("response-header-added", { message, at: { revision: after } }, scope);
      continue;
    }
    // A header may be less stable than its operation.
    const within = withPromise(before.lifecycle, `the header "${before.name}"`, scope);
    if (after !== undefined) {
      compareHeader({ base: before, revision: after }, `The ${header} of the ${owner}`, within);
      continue;
    }
    const code = before.required ? "response-required-header-removed" : "response-header-removed";
    const afterSunset = "response-header-removed-after-sunset";
    reportRemoval(before, { code, afterSunset, message: `The ${owner} no longer has the ${header}` }, within);
  }
}

function compareHeader(at: Sides<ResponseHeader>, name: string, scope: Scope): void {
  compareRequired(at, { name, kind: "response-header" }, scope);
  compareLifecycle(at, { name, kind: "response-header" }, scope);
  const isText = at.base.mediaType === undefined && at.revision.mediaType === undefined;
  const texts = { base: {}, revision: {} };
  compareSchemas(at, { direction: "response", name, ...(isText && { texts }) }, scope);
}
