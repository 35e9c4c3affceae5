import { Agent, type Server } from "node:http";
import express from "express";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { close, listen, send } from "../http.js";
import type { WorstCase } from "./cases.js";

/** The usual limit of a body. */
export const BODY_LIMIT = 100_000;

export interface Sample {
  readonly status: number;
  /** Processor time of the process, which is also the client. */
  readonly ms: number;
}

export interface WorstInputRun {
  /** Sends the case's input of about a size. */
  measure(worst: WorstCase, bytes: number): Promise<Sample>;
  stop(): Promise<void>;
}

/** Serves an operation for each case with the real router, over HTTP. */
export async function startWorstInputs(cases: readonly WorstCase[]): Promise<WorstInputRun> {
  const servers = new Map<WorstCase, { readonly server: Server; readonly port: number }>();
  const agent = new Agent({ keepAlive: true });
  for (const worst of cases) {
    const app = express();
    const errorBody = ({
      status,
      message,
      violations,
    }: {
      status: number;
      message: string;
      violations?: unknown;
    }) => ({ status, message, violations });
    app.use(
      createRouter(toContract(toDocument(worst)), {
        handlers: { run: (_: unknown, reply: Readonly<Record<number, () => unknown>>) => reply[204]?.() },
        context: () => ({}),
        errorBody,
        bodyLimit: BODY_LIMIT * 2,
      }),
    );
    // A slow machine must not close connections that the agent is about to use again.
    const patience = { keepAliveTimeout: 3_600_000, requestTimeout: 3_600_000 };
    const server = createHttpServer(app, { errorBody, ...patience });
    servers.set(worst, { server, port: await listen(server) });
  }
  return {
    async measure(worst, bytes) {
      const { query, headers, contentType, body } = worst.input(bytes);
      const start = process.cpuUsage();
      const { status } = await send(
        servers.get(worst)?.port ?? 0,
        `/${query === undefined ? "" : `?${query}`}`,
        {
          method: "POST",
          agent,
          headers: {
            ...headers,
            ...(contentType !== undefined && { "Content-Type": contentType }),
            ...(body !== undefined && { "Content-Length": String(Buffer.byteLength(body)) }),
          },
          ...(body !== undefined && { body }),
        },
      );
      const { user, system } = process.cpuUsage(start);
      return { status, ms: (user + system) / 1000 };
    },
    async stop() {
      agent.destroy();
      for (const { server } of servers.values()) await close(server);
    },
  };
}

function toDocument({
  schema,
  contentType = "application/json",
  parameters = [],
  components = {},
}: WorstCase): object {
  return {
    openapi: "3.1.0",
    info: { title: "Worst inputs", version: "1" },
    paths: {
      "/": {
        post: {
          operationId: "run",
          parameters,
          ...(schema && { requestBody: { content: { [contentType]: { schema } } } }),
          responses: { "204": { description: "Done." } },
        },
      },
    },
    components: { schemas: components },
  };
}
