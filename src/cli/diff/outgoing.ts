import { isNode, type Located, members } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { findBody } from "./bodies.js";
import { pairByName, type Scope, type Sides, tell } from "./comparison.js";
import { compareContent } from "./content.js";
import { listOfPathItem, listOperations, type OperationView } from "./operations.js";
import type { View } from "./view.js";

/** Compares what the API sends by itself. */
export function compareWebhooks(scope: Scope): void {
  const { views } = scope;
  const pairs = pairByName(
    listOperations(views.base, "webhooks"),
    listOperations(views.revision, "webhooks"),
  );
  for (const { base, revision } of pairs) {
    const operation = `webhook ${(revision ?? base)?.label ?? ""}`;
    compareOutgoing("webhook", { base, revision }, { ...scope, operation });
  }
}

export function compareCallbacks(operations: Sides<Located>, scope: Scope): void {
  const { views } = scope;
  const base = listCallbacks(operations.base, views.base);
  const revision = listCallbacks(operations.revision, views.revision);
  for (const pair of pairByName(base, revision)) {
    compareOutgoing("callback", { base: pair.base, revision: pair.revision }, scope);
  }
}

/** Here the API sends the request and the client answers it: what may be more and what fewer is the other way round. */
function compareOutgoing(
  kind: "webhook" | "callback",
  { base, revision }: Sides<OperationView | undefined>,
  scope: Scope,
): void {
  if (base === undefined || revision === undefined) {
    const label = (revision ?? base)?.label ?? "";
    const message = revision ? `There is a new ${kind} ${label}` : `There is no ${kind} ${label} any more`;
    tell(revision ? `${kind}-added` : `${kind}-removed`, { message, at: { base, revision } }, scope);
    return;
  }
  const name = `The body of the ${kind} ${revision.label}`;
  const [before, after] = [findBody(base, scope.views.base), findBody(revision, scope.views.revision)];
  if (before && after)
    compareContent({ base: before, revision: after }, { direction: "response", name }, scope);
  else if (before ?? after) {
    const code = after ? "response-body-added" : "response-body-removed";
    tell(
      code,
      { message: `${name} is ${after ? "new" : "gone"}`, at: { base: before, revision: after } },
      scope,
    );
  }
  const answers = pairByName(
    listAnswers(base, scope.views.base),
    listAnswers(revision, scope.views.revision),
  );
  for (const answer of answers) {
    if (answer.base === undefined || answer.revision === undefined) continue;
    const owner = {
      direction: "request",
      name: `The answer ${answer.name} to the ${kind} ${revision.label}`,
    } as const;
    compareContent({ base: answer.base, revision: answer.revision }, owner, scope);
  }
}

function listAnswers(operation: Located, view: View): ReadonlyMap<string, Located> {
  return new Map(
    members(operation, "responses").map(({ name, ...response }) => [
      name.toUpperCase(),
      view.resolve(response),
    ]),
  );
}

/** By name, expression and method. */
function listCallbacks({ node, pointer }: Located, view: View): ReadonlyMap<string, OperationView> {
  const callbacks = getOwn(node, "callbacks");
  if (!isNode(callbacks)) return new Map();
  return new Map(
    members({ node, pointer }, "callbacks").flatMap(({ name, ...reference }) => {
      const callback = view.resolve(reference);
      return Object.entries(callback.node).flatMap(([expression, pathItem]) => {
        if (!isNode(pathItem)) return [];
        const at = view.resolve({ node: pathItem, pointer: joinPointer(callback.pointer, expression) });
        return listOfPathItem(`${name} ${expression}`, at).map((operation): [string, OperationView] => [
          operation.label,
          operation,
        ]);
      });
    }),
  );
}
