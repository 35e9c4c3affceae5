import express, { type RequestHandler } from "express";
import { isNode } from "tenon/core/document";
import type { Exchange } from "tenon/core/http";
import type { Contract, Operation } from "tenon/core/model";
import {
  createErrorHandler,
  createHttpServer,
  createRouter,
  type Failure,
  HttpError,
  requireLocal,
} from "tenon/runtime";
import { startServer } from "../output/serving.js";
import { createMock, type HandledRequest, type MockOptions } from "./create-mock.js";
import { BODY_LIMIT, withoutCertificates } from "./enforced.js";
import { createErrorBodies } from "./error-bodies.js";
import { takePreferences } from "./preferences.js";

export interface MockServerOptions extends MockOptions {
  /** 0 chooses a free one. */
  readonly port: number;
  /** Address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string;
  /** Allows pages of other origins to call the mock. Default: false. */
  readonly cors?: boolean;
  /** Sends the callbacks of an operation, after its successful response. Default: none are sent. */
  readonly createCallbacks?: (
    contract: Contract,
  ) => (operation: Operation, exchange: Exchange) => Promise<void>;
  readonly onFailure?: (failure: Failure) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
}

/** A request and the status of its response. */
export interface ResponseEvent {
  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  readonly status: number;
  /** Undefined where the contract declares no such operation. */
  readonly operationId: string | undefined;
}

export interface MockServer {
  /** URL with the contract's base path: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /**
   * Serves another contract from the next request on. Created resources are lost.
   * @throws when the contract cannot be enforced.
   */
  readonly replace: (contract: Contract, options: Pick<MockOptions, "onBadExample">) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Serves a contract without handlers. Requests are validated as in a real service; responses are the contract's examples or
 * generated values. Any credential of the declared form is accepted.
 * @throws when the contract cannot be enforced or the port is not available.
 */
export async function startMock(contract: Contract, options: MockServerOptions): Promise<MockServer> {
  const { host = "127.0.0.1" } = options;
  let current = createApp(contract, options);
  const app = express().disable("x-powered-by");
  app.use((request, response, next) => {
    current.app(request, response, next);
  });
  const server = createHttpServer(app, current.errors);
  const { origin, port, stop } = await startServer(server, { port: options.port, host });
  return {
    url: origin + contract.basePath,
    port,
    replace(next, others) {
      current = createApp(next, { ...options, ...others });
    },
    stop,
  };
}

function createApp(given: Contract, options: MockServerOptions) {
  const { host = "127.0.0.1", onFailure } = options;
  const contract = withoutCertificates(given);
  const { basePath, operations, securitySchemes } = contract;
  const mock = createMock(contract, { ...options, ...listenForCallbacks(contract, options) });
  const errors = {
    ...createErrorBodies(contract, mock),
    onFailure: (failure: Failure) => {
      if (failure.problem.status >= 500) onFailure?.(failure);
    },
  };
  const api = createRouter(contract, {
    ...errors,
    handlers: {},
    unimplemented: mock.makeHandler,
    authenticators: Object.fromEntries(securitySchemes.map(({ name }) => [name, () => ({})])),
    bodyLimit: BODY_LIMIT,
    streamLimit: Infinity,
  });

  const app = express().disable("x-powered-by");
  app.use(reportResponses(options));
  app.use(requireLocal(host, { anyOrigin: options.cors === true }));
  if (options.cors === true) {
    const headers = operations.flatMap(({ responses }) => responses.flatMap((response) => response.headers));
    app.use(createCors(headers.map(({ name }) => name)));
  }
  app.use(readQuery);
  app.use(api);
  app.use(() => {
    throw new HttpError("not_found", { message: `The contract's paths start with ${basePath}` });
  });
  app.use(createErrorHandler(errors));
  return { app, errors };
}

/** Calls the sender of callbacks when a successful response is sent. */
function listenForCallbacks(
  contract: Contract,
  { createCallbacks }: MockServerOptions,
): Pick<MockOptions, "onHandled"> {
  const send = createCallbacks?.(contract);
  if (send === undefined) return {};
  return {
    onHandled: (handled) => {
      const { operation, response, incoming } = handled;
      if (operation.callbacks.length > 0 && response.status < 300)
        incoming.res?.once("finish", () => void send(operation, toExchange(handled)));
    },
  };
}

function toExchange({ operation, request, response, incoming }: HandledRequest): Exchange {
  const { method, originalUrl, protocol, host } = incoming;
  const { path, query, body } = request;
  const { status, headers, content } = response;
  // With several media types, handlers get the body beside the name of its own.
  const hasName = operation.requestBody?.mediaTypes.length !== 1;
  return {
    url: `${protocol}://${host}${originalUrl}`,
    method,
    statusCode: status,
    request: {
      headers: incoming.headers,
      path,
      query,
      body: hasName && isNode(body) ? body["value"] : body,
    },
    response: { headers, body: content?.body },
  };
}

/** Converts `?__code=404` to `Prefer: code=404`, unless the request has the header. */
const readQuery: RequestHandler = (request, _response, next) => {
  const taken = takePreferences(request.url);
  if (taken !== undefined) {
    request.url = taken.target;
    request.headers["prefer"] ??= taken.prefer;
  }
  next();
};

function reportResponses({ onResponse }: MockServerOptions): RequestHandler {
  return (request, response, next) => {
    const { method, url: target } = request;
    response.on("finish", () => {
      const operationId = response.locals["operationId"] as string | undefined;
      onResponse?.({ method, target, status: response.statusCode, operationId });
    });
    next();
  };
}

/** Headers of the runtime that browsers hide from scripts unless they are exposed. */
const OF_RUNTIME = [
  "Allow",
  "Deprecation",
  "Link",
  "Location",
  "Retry-After",
  "Sunset",
  "Tenon-Mock",
  "WWW-Authenticate",
];

/**
 * Allows pages of every origin to call the mock with credentials.
 * @param declared Names of the contract's response headers.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
function createCors(declared: readonly string[]): RequestHandler {
  const exposed = [...new Set([...OF_RUNTIME, ...declared])].join(", ");
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Credentials", "true");
    response.setHeader("Vary", "Origin");
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) {
      response.setHeader("Access-Control-Expose-Headers", exposed);
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Methods", method);
    const headers = request.headers["access-control-request-headers"];
    if (headers !== undefined) response.setHeader("Access-Control-Allow-Headers", headers);
    response.status(204).end();
  };
}
