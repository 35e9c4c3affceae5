import express, { type Express } from "express";
import { createMcpRouter, type McpOptions } from "../../../src/tenon/mcp/index.js";
import {
  createErrorHandler,
  createRouter,
  type Failure,
  type Problem,
} from "../../../src/tenon/runtime/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { createServer } from "node:http";
import { close, listen } from "../../support/http.js";

type Loose = Readonly<Record<string, unknown>>;
export type Replies = Readonly<Record<number, (...parameters: unknown[]) => object>>;
export type Handler = (request: Loose, reply: Replies, context: Loose) => unknown;

export interface SmallOptions {
  /** Default: 3.1.0 */
  readonly openapi?: string;
  readonly paths: object;
  readonly components?: object;
  readonly security?: readonly object[];
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly authenticators?: object;
  readonly mcp?: McpOptions;
  /** Default: failures are printed. */
  readonly onFailure?: (failure: Failure) => void;
  /** Changes the app before the API is mounted. */
  readonly prepare?: (app: Express) => void;
}

export interface Small {
  readonly port: number;
  readonly url: string;
  /** Ids of the operations whose handlers ran, with what they got. */
  readonly handled: (readonly [id: string, request: Loose])[];
  stop(): Promise<void>;
}

/** Starts a small service with tools at `/mcp`, on a free port. */
export async function startSmall(given: SmallOptions): Promise<Small> {
  const { openapi = "3.1.0", paths, components, security, authenticators = {}, mcp } = given;
  const handled: Small["handled"] = [];
  const info = { title: "Small", version: "1" };
  const document = { openapi, info, servers: [{ url: "/v1" }], paths, components, security };
  const handlers = Object.fromEntries(
    Object.entries(given.handlers).map(([id, handler]): [string, Handler] => [
      id,
      (request, reply, context) => {
        handled.push([id, request]);
        return handler(request, reply, context);
      },
    ]),
  );
  const errors = {
    errorBody: ({ code, message, status }: Problem) => ({ code, message, status }),
    ...(given.onFailure && { onFailure: given.onFailure }),
  };
  const api = createRouter(toContract(document), { ...errors, handlers, authenticators });
  const app = express();
  given.prepare?.(app);
  app.use(api);
  app.use("/mcp", createMcpRouter(api, mcp));
  app.use(createErrorHandler(errors));
  const server = createServer(app);
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}/mcp`, handled, stop: () => close(server) };
}

/** A response with a JSON body of a schema. */
export const json = (schema: object, extra: object = {}): object => ({
  description: "ok",
  content: { "application/json": { schema } },
  ...extra,
});
