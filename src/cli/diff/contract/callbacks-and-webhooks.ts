import type { Operation, OutgoingRequest } from "tenon/core/model";
import { pairBy, type Sides } from "../sides.js";
import { compareContent } from "./bodies.js";
import { reportChange, type Scope } from "./scope.js";

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
  scope: Scope,
): void {
  const { base, revision } = at;
  const name = `${kind} ${toLabel(revision ?? base)}`;
  if (base === undefined || revision === undefined) {
    const message = `The ${name} ${revision ? "is new" : "was removed"}`;
    reportChange(revision ? `${kind}-added` : `${kind}-removed`, { message, at }, scope);
    return;
  }
  const body = `The body of the ${name}`;
  const [before, after] = [base.requestBody, revision.requestBody];
  if (before && after) {
    compareContent({ base: before, revision: after }, { direction: "response", name: body }, scope);
  } else if (before ?? after) {
    const code = after ? "response-body-added" : "response-body-removed";
    const message = `${body} ${after ? "is new" : "was removed"}`;
    reportChange(code, { message, at: { base: before, revision: after } }, scope);
  }
  const responses = { base: base.responses, revision: revision.responses };
  for (const { key, base: old, revision: current } of pairBy(responses, ({ status }) => status)) {
    if (old === undefined || current === undefined) continue;
    const owner = `The response ${key} to the ${name}`;
    compareContent({ base: old, revision: current }, { direction: "request", name: owner }, scope);
  }
}

/** `POST petAdded`, `POST petAdded {$request.body#/url}` */
function toLabel(request: OutgoingRequest | undefined): string {
  if (request === undefined) return "";
  const { method, name, expression } = request;
  return [method.toUpperCase(), name, ...(expression === undefined ? [] : [expression])].join(" ");
}
