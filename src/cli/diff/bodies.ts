import { isNode, type Located } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import { type Scope, type Sides, tell } from "./comparison.js";
import { compareContent } from "./content.js";
import type { View } from "./view.js";

/** Compares what clients send as a body. */
export function compareRequestBodies(operations: Sides<Located>, scope: Scope): void {
  const base = findBody(operations.base, scope.views.base);
  const revision = findBody(operations.revision, scope.views.revision);
  if (base && revision) {
    const [before, after] = [base.node["required"] === true, revision.node["required"] === true];
    if (before !== after) {
      const code = after ? "request-body-became-required" : "request-body-became-optional";
      const message = `The request body became ${after ? "required" : "optional"}`;
      tell(code, { message, at: { base, revision } }, scope);
    }
    compareContent({ base, revision }, { direction: "request", name: "The request body" }, scope);
  } else if (revision) {
    const required = revision.node["required"] === true;
    const code = required ? "request-required-body-added" : "request-body-added";
    const message = `There is a request body, which is ${required ? "required" : "optional"}`;
    tell(code, { message, at: { revision } }, scope);
  } else if (base) {
    tell("request-body-removed", { message: "There is no request body any more", at: { base } }, scope);
  }
}

export function findBody({ node, pointer }: Located, view: View): Located | undefined {
  const body = getOwn(node, "requestBody");
  if (!isNode(body)) return undefined;
  return view.resolve({ node: body, pointer: joinPointer(pointer, "requestBody") });
}
