import { createServer, type RequestListener } from "node:http";
import express from "express";
import type { ContractRouter, OperationDescriptor, PartialApiOptions } from "tenon/runtime";
import { close, listen, send } from "./http.js";

/** What a generated server.ts exports. */
export interface GeneratedServer {
  readonly basePath: string;
  readonly operations: readonly OperationDescriptor[];
  readonly createPartialApi: (options: PartialApiOptions<object, object, never>) => ContractRouter;
}

export interface Answered {
  readonly operation: OperationDescriptor;
  readonly status: number;
}

/**
 * Starts a generated server of which nothing is implemented, and calls each operation once, over HTTP, without credentials,
 * body or query, and with 1 as every path parameter.
 */
export async function answerAll({
  basePath,
  operations,
  createPartialApi,
}: GeneratedServer): Promise<readonly Answered[]> {
  const schemes = operations.flatMap(({ security }) =>
    security.flatMap((requirement) => Object.keys(requirement)),
  );
  const api = createPartialApi({
    handlers: {},
    unimplemented: "501",
    authenticators: Object.fromEntries(schemes.map((name) => [name, () => undefined])) as never,
    context: () => ({}),
    errorBody: ({ status }) => ({ status }),
  });
  const server = createServer(express().use(api) as RequestListener);
  const port = await listen(server);
  try {
    const answers: Answered[] = [];
    for (const operation of operations) {
      const path = operation.path.replace(/\{[^{}]*\}/g, "1");
      const target = new URL(
        `http://localhost${basePath}${path.replaceAll("#", "%23").replaceAll("?", "%3F")}`,
      );
      const { status } = await send(port, target.pathname, { method: operation.method.toUpperCase() });
      answers.push({ operation, status });
    }
    return answers;
  } finally {
    await close(server);
  }
}

/** Not implemented, not allowed without a credential, or not valid without parameters and body. */
export const ANSWERS: readonly number[] = [501, 401, 400];
