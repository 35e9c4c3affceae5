import { buildRequestBody, buildResponses } from "./build-content.js";
import { type DocumentContext, isNode, type Located, members, resolve, toText } from "./document.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { HTTP_METHODS, type OutgoingRequest } from "./model.js";

/** @see https://spec.openapis.org/oas/v3.1.0#oasWebhooks */
export function buildWebhooks(context: DocumentContext): readonly OutgoingRequest[] {
  return members({ node: context.document, pointer: "#" }, "webhooks").flatMap(({ name, ...reference }) =>
    buildPathItem({ name }, reference, context),
  );
}

/** @see https://spec.openapis.org/oas/v3.1.0#callback-object */
export function buildCallbacks(operation: Located, context: DocumentContext): readonly OutgoingRequest[] {
  return members(operation, "callbacks").flatMap(({ name, ...reference }) => {
    const callback = resolve(reference, context);
    if (callback === undefined) return [];
    return Object.entries(callback.node).flatMap(([expression, node]) => {
      if (!isNode(node) || expression.startsWith("x-")) return [];
      return buildPathItem(
        { name, expression },
        { node, pointer: joinPointer(callback.pointer, expression) },
        context,
      );
    });
  });
}

function buildPathItem(
  origin: Pick<OutgoingRequest, "name" | "expression">,
  reference: Located,
  context: DocumentContext,
): readonly OutgoingRequest[] {
  const pathItem = resolve(reference, context);
  return HTTP_METHODS.flatMap((method) => {
    const node = pathItem && getOwn(pathItem.node, method);
    if (pathItem === undefined || !isNode(node)) return [];
    const operation = { node, pointer: joinPointer(pathItem.pointer, method), method, path: origin.name };
    const summary = toText(node["summary"]);
    const requestBody = buildRequestBody(operation, context);
    return {
      ...origin,
      method,
      ...(summary !== undefined && { summary }),
      ...(requestBody && { requestBody }),
      responses: buildResponses(operation, context),
    };
  });
}
