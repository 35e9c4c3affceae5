import { readLasting } from "../document/lifecycle.js";
import { getMembers, isNode, type Located, pickTexts } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { buildRequestBody, buildResponses } from "./build-content.js";
import { buildParameters, mergeParameters } from "./build-parameters.js";
import { type BuildContext, resolve } from "./context.js";
import type { Operation, OutgoingRequest } from "./contract.js";
import { listMethods } from "./list-methods.js";

/** @see https://spec.openapis.org/oas/v3.1.0#oasWebhooks */
export function buildWebhooks(context: BuildContext): readonly OutgoingRequest[] {
  return getMembers(context.source.root, "webhooks").flatMap(({ name, ...reference }) =>
    buildPathItem({ name }, reference, context),
  );
}

/** @see https://spec.openapis.org/oas/v3.1.0#callback-object */
export function buildCallbacks(operation: Located, context: BuildContext): readonly OutgoingRequest[] {
  return getMembers(operation, "callbacks").flatMap(({ name, ...reference }) => {
    const callback = resolve(reference, context);
    if (callback === undefined) return [];
    return Object.entries(callback.node).flatMap(([expression, node]) => {
      if (!isNode(node) || expression.startsWith("x-")) return [];
      const pathItem = { node, pointer: joinPointer(callback.pointer, expression) };
      return buildPathItem({ name, expression }, pathItem, context);
    });
  });
}

function buildPathItem(
  origin: Pick<OutgoingRequest, "name" | "expression">,
  reference: Located,
  context: BuildContext,
): readonly OutgoingRequest[] {
  const pathItem = resolve(reference, context);
  if (pathItem === undefined) return [];
  // The service only sends these parameters, so problems with parsing them are not reported.
  const silent = { ...context, report: () => undefined };
  const shared = buildParameters(pathItem, silent);
  return listMethods(pathItem, context).map(({ method, operation: located }) => {
    const operation = { ...located, method, path: origin.name };
    const requestBody = buildRequestBody(operation, context, false);
    return {
      ...origin,
      pointer: located.pointer,
      method,
      ...pickTexts(located.node, "operationId", "summary", "description"),
      ...readLasting(located.node),
      parameters: mergeParameters(shared, buildParameters(located, silent)),
      ...(requestBody && { requestBody }),
      responses: buildResponses(operation, context),
    };
  });
}

/**
 * Converts the requests that a service sends to operations of their receiver: webhook `petSold` becomes `POST /petSold`. If a name has
 * several methods or expressions, each operation has its own id: `gone`, `gone 2`.
 *
 * They have no security: a receiver verifies signatures, which no security scheme describes.
 */
export function toOutgoingOperations(requests: readonly OutgoingRequest[]): readonly OutgoingOperation[] {
  const counts = new Map<string, number>();
  return requests.map((request) => {
    const { name, pointer, method, parameters, responses, requestBody, summary, description } = request;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = count === 1 ? name : `${name} ${count}`;
    const path = `/${encodeURIComponent(name)}`;
    return {
      outgoing: request,
      pointer,
      id,
      hasId: true,
      typeName: id,
      method,
      path,
      pathItem: { path, pointer, declaredAt: pointer, servers: [], parameters: [] },
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      tags: [],
      servers: [],
      parameters,
      ownParameters: parameters,
      requestBody,
      responses,
      callbacks: [],
      security: [],
      allowsUndeclaredQuery: true,
      stub: false,
    };
  });
}

/** An operation of the receiver of a webhook or callback. */
export type OutgoingOperation = Operation & Required<Pick<Operation, "outgoing">>;
