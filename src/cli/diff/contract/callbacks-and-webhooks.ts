import type { Operation, OutgoingRequest, Response } from "tenon/core/model";
import { pairByName, type Sides } from "../sides.js";
import { reportChange, type Scope } from "./scope.js";
import { compareContent } from "./bodies.js";

/** Compares webhooks. */
export function compareWebhooks(scope: Scope): void {
  const { base: before, revision: after } = scope.contracts;
  for (const { base, revision } of pairByName(byLabel(before.webhooks), byLabel(after.webhooks))) {
    const operation = `webhook ${toLabel(revision ?? base)}`;
    compareOutgoing("webhook", { base, revision }, { ...scope, operation });
  }
}

export function compareCallbacks(operations: Sides<Operation>, scope: Scope): void {
  const [before, after] = [byLabel(operations.base.callbacks), byLabel(operations.revision.callbacks)];
  for (const { base, revision } of pairByName(before, after))
    compareOutgoing("callback", { base, revision }, scope);
}

/** The service sends these requests and clients respond, so that the directions of breaking changes are swapped. */
function compareOutgoing(
  kind: "webhook" | "callback",
  { base, revision }: Sides<OutgoingRequest | undefined>,
  scope: Scope,
): void {
  if (base === undefined || revision === undefined) {
    const label = toLabel(revision ?? base);
    const message = revision ? `The ${kind} ${label} is new` : `The ${kind} ${label} was removed`;
    reportChange(revision ? `${kind}-added` : `${kind}-removed`, { message, at: { base, revision } }, scope);
    return;
  }
  const name = `The body of the ${kind} ${toLabel(revision)}`;
  const [before, after] = [base.requestBody, revision.requestBody];
  if (before && after)
    compareContent({ base: before, revision: after }, { direction: "response", name }, scope);
  else if (before ?? after) {
    const code = after ? "response-body-added" : "response-body-removed";
    reportChange(
      code,
      { message: `${name} ${after ? "is new" : "was removed"}`, at: { base: before, revision: after } },
      scope,
    );
  }
  for (const response of pairByName(byStatus(base), byStatus(revision))) {
    if (response.base === undefined || response.revision === undefined) continue;
    const owner = {
      direction: "request",
      name: `The response ${response.name} to the ${kind} ${toLabel(revision)}`,
    } as const;
    compareContent({ base: response.base, revision: response.revision }, owner, scope);
  }
}

function byStatus({ responses }: OutgoingRequest): ReadonlyMap<string, Response> {
  return new Map(responses.map((response) => [response.status, response]));
}

/** Requests by name, expression and method. */
function byLabel(requests: readonly OutgoingRequest[]): ReadonlyMap<string, OutgoingRequest> {
  return new Map(requests.map((request) => [toLabel(request), request]));
}

/** `POST petAdded`, `POST petAdded {$request.body#/url}` */
function toLabel(request: OutgoingRequest | undefined): string {
  if (request === undefined) return "";
  const { method, name, expression } = request;
  return [method.toUpperCase(), name, ...(expression === undefined ? [] : [expression])].join(" ");
}
