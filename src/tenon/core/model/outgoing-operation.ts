import type { Operation, OutgoingRequest } from "./contract.js";

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
