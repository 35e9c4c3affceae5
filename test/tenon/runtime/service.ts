import type { Server } from "node:http";
import express from "express";
import {
  createHttpServer,
  createRouter,
  type Failure,
  type HttpServerOptions,
  type ResponseProblem,
} from "../../../src/tenon/runtime/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { listen, close } from "../../support/http.js";

/** A contract that has one of everything that the runtime decides on. */
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: 'The "Things" API', version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/things": {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
      ],
      get: {
        operationId: "listThings",
        security: [{ bearer: [] }],
        parameters: [
          { name: "q", in: "query", schema: { type: "string" } },
          { name: "ratio", in: "query", schema: { type: "number" } },
          { name: "deep", in: "query", schema: { type: "boolean" } },
          { name: "ids", in: "query", schema: { type: "array", items: { type: "integer" } } },
          { name: "csv", in: "query", explode: false, schema: { type: "array", items: { type: "integer" } } },
          { name: "X-Count", in: "header", schema: { type: "integer" } },
          { name: "seen", in: "cookie", schema: { type: "integer" } },
        ],
        responses: {
          "200": {
            description: "ok",
            headers: {
              "X-Total": { required: true, schema: { type: "integer", minimum: 0 } },
              Link: { $ref: "#/components/headers/Link" },
            },
            content: { "application/json": { schema: { type: "object" } } },
          },
        },
      },
      post: {
        operationId: "createThing",
        security: [{ bearer: [] }],
        parameters: [
          { name: "limit", in: "query", deprecated: true, schema: { type: "integer", default: 20 } },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } },
        },
        responses: {
          "201": {
            description: "ok",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
    },
    "/things/{thing-id}:archive": {
      put: {
        operationId: "archiveThing",
        deprecated: true,
        "x-deprecated-since": "2026-01-01",
        "x-sunset": "2030-12-05",
        "x-replaced-by": "listThings",
        parameters: [
          { name: "thing-id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
        ],
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { "204": { description: "done" }, default: { description: "other" } },
      },
    },
    "/both": {
      get: {
        operationId: "both",
        security: [{ basic: [], key: [] }, { queryKey: [] }],
        responses: { "200": { description: "ok", content: { "application/json": { schema: {} } } } },
      },
    },
    "/anyone": {
      get: {
        operationId: "anyone",
        security: [{ bearer: [] }, {}],
        responses: { "200": { description: "ok", content: { "application/json": { schema: {} } } } },
      },
    },
    "/later": { get: { operationId: "later", responses: { "501": { description: "not yet" } } } },
  },
  components: {
    headers: { Link: { schema: { type: "string", minLength: 3 } } },
    securitySchemes: {
      bearer: { type: "http", scheme: "Bearer" },
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      queryKey: { type: "apiKey", in: "query", name: "key" },
    },
    schemas: {
      NewThing: {
        type: "object",
        required: ["name", "size"],
        properties: {
          name: { type: "string" },
          size: { type: "integer", format: "int64" },
          kind: { enum: ["a", "b"], default: "a" },
          price: { type: "number" },
        },
      },
      Thing: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "integer" }, name: { type: "string" } },
        // The handler also returns what it was sent.
        additionalProperties: true,
      },
    },
  },
};

/** Handlers without generated types. */
export interface LooseRequest {
  readonly query: object;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  readonly body?: object;
}
export type LooseReplies = Readonly<
  Record<number | "raw", ((...parameters: unknown[]) => object) | undefined>
>;
export type LooseHandler = (
  request: LooseRequest,
  reply: LooseReplies,
  context: { readonly auth?: unknown },
) => unknown;

export interface ThingsOptions {
  readonly document?: object;
  readonly handlers?: Readonly<Record<string, LooseHandler>>;
  readonly authenticate?: (credential: string) => unknown;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly limits?: Pick<HttpServerOptions, "headersTimeout" | "requestTimeout" | "sendTimeout" | "overload">;
}

export interface Things {
  readonly port: number;
  readonly failures: Failure[];
  readonly responseProblems: ResponseProblem[];
  readonly handled: string[];
  stop(): Promise<void>;
}

export { DOCUMENT };

/** Starts the fixture's service for real, on a free port. Good credentials are `good`; `user:good` for basic. */
export async function startThings(given: ThingsOptions = {}): Promise<Things> {
  const failures: Failure[] = [];
  const responseProblems: ResponseProblem[] = [];
  const handled: string[] = [];
  const authenticate = (credential: string): unknown =>
    given.authenticate === undefined
      ? /(^|:)good$/.test(credential)
        ? { credential }
        : undefined
      : given.authenticate(credential);
  const handlers: Record<string, LooseHandler> = {
    listThings: ({ query, headers, cookies }, reply) =>
      reply[200]?.(
        { query, count: headers["x-count"], seen: cookies["seen"] },
        { headers: { "X-Total": 3 } },
      ),
    createThing: ({ body }, reply) => reply[201]?.({ id: 1, ...body }),
    archiveThing: (_, reply) => reply[204]?.(),
    both: (_, reply, { auth }) => reply[200]?.(auth),
    anyone: (_, reply, { auth }) => reply[200]?.({ auth: auth ?? null }),
    ...given.handlers,
  };
  const recording = Object.fromEntries(
    Object.entries(handlers)
      .filter(([, handler]) => (handler as unknown) !== undefined)
      .map(([id, handler]): [string, LooseHandler] => [
        id,
        (request, reply, context) => {
          handled.push(id);
          return handler(request, reply, context);
        },
      ]),
  );
  const errorBody = (problem: object): object => ({ error: problem });
  const app = express();
  app.use(
    createRouter(toContract(given.document ?? DOCUMENT), {
      handlers: recording,
      authenticators: {
        bearer: authenticate,
        basic: authenticate,
        key: authenticate,
        queryKey: authenticate,
      },
      context: () => ({}),
      errorBody,
      onFailure: (failure) => failures.push(failure),
      onResponseProblem: (problem) => responseProblems.push(problem),
      bodyLimit: 10_000,
      ...given.options,
    }),
  );
  app.use((_, response) => {
    response.status(418).json({ after: true });
  });
  const server: Server = createHttpServer(app, {
    errorBody,
    onFailure: (failure) => failures.push(failure),
    ...given.limits,
  });
  const port = await listen(server);
  return { port, failures, responseProblems, handled, stop: () => close(server) };
}
