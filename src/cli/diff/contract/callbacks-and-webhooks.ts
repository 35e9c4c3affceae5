import type { Operation, OutgoingRequest, Response } from "tenon/core/model";
import { pairBy, type Sides } from "../sides.js";
import { compareContent } from "./bodies.js";
import { compareHeaders } from "./headers.js";
import { compareLifecycle, reportRemoval, withPromise } from "./lifecycle.js";
import { byStatus, findCovering } from "./responses.js";
import { compareRequired, reportChange, type Scope } from "./scope.js";

/** Compares webhooks. */
export function compareWebhooks(scope: Scope): void {
  const { base, revision } = scope.contracts;
  for (const pair of pairBy({ base: base.webhooks, revision: revision.webhooks }, toLabel)) {
    const operation = `webhook ${toLabel(pair.revision ?? pair.base)}`;
    compareOutgoing("webhook", pair, { ...scope, operation });
  }
}

export function compareCallbacks({ base, revision }: Sides<Operation>, scope: Scope): void {
  for (const pair of pairBy({ base: base.callbacks, revision: revision.callbacks }, toLabel))
    compareOutgoing("callback", pair, scope);
}

/** The service sends these requests and clients respond, so that the directions of breaking changes are swapped. */
function compareOutgoing(
  kind: "webhook" | "callback",
  at: Sides<OutgoingRequest | undefined>,
  given: Scope,
): void {
  const { base, revision } = at;
  const name = `${kind} ${toLabel(revision ?? base)}`;
  const scope = withPromise(base?.lifecycle, `the ${kind}`, given);
  if (base === undefined) {
    reportChange(`${kind}-added`, { message: `The ${name} is new`, at }, scope);
    return;
  }
  if (revision === undefined) {
    const afterSunset = "operation-removed-after-sunset";
    const message = `The ${name} was removed`;
    reportRemoval(base, { code: `${kind}-removed`, afterSunset, message }, scope);
    return;
  }
  compareLifecycle({ base, revision }, { name: `The ${name}`, kind: "operation" }, scope);
  // Without a path template, a path parameter is never sent.
  const [sent, sentNow] = [base, revision].map((one) => one.parameters.filter((own) => own.in !== "path"));
  const parameters = { base: sent ?? [], revision: sentNow ?? [] };
  compareHeaders(parameters, { direction: "response", name: `The ${name}` }, scope);
  const body = `The body of the ${name}`;
  const [before, after] = [base.requestBody, revision.requestBody];
  if (before && after) {
    const bodies = { base: before, revision: after };
    compareRequired(bodies, { name: body, kind: "response-body" }, scope);
    compareContent(bodies, { direction: "response", name: body }, scope);
  } else if (before ?? after) {
    const code = after ? "response-body-added" : "response-body-removed";
    const message = `${body} ${after ? "is new" : "was removed"}`;
    reportChange(code, { message, at: { base: before, revision: after } }, scope);
  }
  compareResponses(kind, { base, revision }, scope);
}

/** Compares the responses of clients, which the service receives. */
function compareResponses(kind: "webhook" | "callback", at: Sides<OutgoingRequest>, scope: Scope): void {
  const name = `the ${kind} ${toLabel(at.revision)}`;
  const [base, revision] = [byStatus(at.base), byStatus(at.revision)];
  for (const status of new Set([...base.keys(), ...revision.keys()])) {
    const before = base.get(status) ?? findCovering(status, base);
    const after = revision.get(status) ?? findCovering(status, revision);
    if (before && after) {
      compareResponse({ base: before, revision: after }, `The response ${status} to ${name}`, scope);
      continue;
    }
    const message = `The response ${status} to ${name} ${after ? "is new" : "is no longer accepted"}`;
    const code = `${kind}-response-${after ? "added" : "removed"}` as const;
    reportChange(code, { message, at: { base: before, revision: after } }, scope);
  }
}

function compareResponse(at: Sides<Response>, name: string, scope: Scope): void {
  const owner = { direction: "request", name } as const;
  compareHeaders({ base: at.base.headers, revision: at.revision.headers }, owner, scope);
  const [before, after] = [at.base, at.revision].map(({ mediaTypes }) => mediaTypes.length > 0);
  if (before && after) {
    compareContent(at, owner, scope);
  } else if (before !== after) {
    const message = `${name} ${after ? "must have" : "no longer has"} a body`;
    reportChange(after ? "request-required-body-added" : "request-body-removed", { message, at }, scope);
  }
}

/** `POST petAdded`, `POST petAdded {$request.body#/url}` */
function toLabel(request: OutgoingRequest | undefined): string {
  if (request === undefined) return "";
  const { method, name, expression } = request;
  return [method.toUpperCase(), name, ...(expression === undefined ? [] : [expression])].join(" ");
}
