import type { Link, Operation, Response } from "tenon/core/model";
import { toCanonical } from "../schema/normal-form/values.js";
import { pairBy, type Sides } from "../sides.js";
import { compareContent } from "./bodies.js";
import { compareHeaders } from "./headers.js";
import { reportChange, type Scope } from "./scope.js";

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

export function byStatus({ responses }: Pick<Operation, "responses">): Responses {
  return new Map(responses.map((response) => [response.status, response]));
}

/** Finds the range of a status, else `default`, which means errors where a success is declared. */
export function findCovering(status: string, responses: Responses): Response | undefined {
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
  const headers = { base: at.base.headers, revision: at.revision.headers };
  compareHeaders(headers, { direction: "response", name }, scope);
  compareLinks(at, name, scope);
  const [before, after] = [at.base, at.revision].map(({ mediaTypes }) => mediaTypes.length > 0);
  if (before && after) {
    compareContent(at, { direction: "response", name }, scope);
  } else if (before !== after) {
    const code = after ? "response-body-added" : "response-body-removed";
    reportChange(code, { message: `${name} ${after ? "has a" : "no longer has a"} body`, at }, scope);
  }
}

/** Compares the links that a contract offers by name. */
function compareLinks({ base, revision }: Sides<Response>, name: string, scope: Scope): void {
  const links = { base: base.links, revision: revision.links };
  for (const { key, base: before, revision: after } of pairBy(links, (link) => link.name)) {
    const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    if (before && after && toText(before) === toText(after)) continue;
    const text = { added: "has the link", removed: "no longer has the link", changed: "has another link" };
    const message = `${name} ${text[change]} "${key}"`;
    reportChange(`response-link-${change}`, { message, at: { base: before, revision: after } }, scope);
  }
}

/** Describes a link as text that is equal for equal links. */
function toText({ operationId, parameters }: Link): string {
  return toCanonical({ operationId, parameters });
}
