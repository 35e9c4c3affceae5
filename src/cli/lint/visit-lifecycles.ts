import type { Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { isNode } from "./node.js";

/** What has a lifecycle, as messages call it. A property is a schema. */
export type Lasting = "operation" | "parameter" | "header" | "schema";

export type VisitLifecycle = (node: object, noun: Lasting, context: UserContext) => void;

/** Visits everything that OpenAPI lets be `deprecated`. */
export function visitLifecycles(visit: VisitLifecycle): Oas3Visitor {
  const visitAs = (noun: Lasting) => (node: unknown, context: UserContext) => {
    if (isNode(node)) visit(node, noun, context);
  };
  return {
    Operation: visitAs("operation"),
    Parameter: visitAs("parameter"),
    Header: visitAs("header"),
    Schema: visitAs("schema"),
  };
}
