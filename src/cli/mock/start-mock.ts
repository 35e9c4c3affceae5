import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { getSecurityScheme } from "tenon/runtime/contract-document";
import { createErrorHandler } from "tenon/runtime/errors/errors";
import type { Failure } from "tenon/runtime/errors/failure";
import { HttpError } from "tenon/runtime/errors/http-error";
import { createHttpServer } from "tenon/runtime/http/server";
import type { RoutedContract } from "tenon/runtime/routing/route";
import { createRouter } from "tenon/runtime/routing/router";
import type { BadExample } from "./answers.js";
import { createCors } from "./cors.js";
import { createMock } from "./create-mock.js";
import { createContractState } from "./create-state.js";
import { readResponses } from "./declared.js";
import { createErrors } from "./errors.js";
import { createFaults, type FaultOptions } from "./faults.js";
import { takePreferences } from "./prefer.js";

export interface MockServerOptions extends Omit<FaultOptions, "seed"> {
  /** 0: any that is free. */
  readonly port: number;
  /** Address to listen at. Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string;
  /** The same gives the same answers. Default: `1`. */
  readonly seed?: string;
  /** Whether every answer is generated, each with other values. Default: false. */
  readonly dynamic?: boolean;
  /** Whether what is created can be read, changed and deleted. Default: false. */
  readonly stateful?: boolean;
  /** Whether pages of other origins may call it. Default: false. */
  readonly cors?: boolean;
  readonly onBadExample?: (bad: BadExample) => void;
  readonly onFailure?: (failure: Failure) => void;
  readonly onAnswer?: (answer: Answered) => void;
}

/** A request that was answered, for who watches. */
export interface Answered {
  readonly method: string;
  /** As it was sent. */
  readonly target: string;
  readonly status: number;
  /** Undefined where the contract has none of it. */
  readonly operationId: string | undefined;
}

export interface MockServer {
  /** With the contract's base path: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves a contract without any handler: everything is enforced as in a real service, and answers come from the contract's
 * examples, or else are made up. Every credential is accepted that has the form that the contract declares.
 * @throws when the contract cannot be enforced, or the port cannot be listened at.
 */
export async function startMock(given: RoutedContract, options: MockServerOptions): Promise<MockServer> {
  const { host = "127.0.0.1", seed = "1", dynamic = false, onBadExample, onFailure } = options;
  const contract = withoutCertificates(given);
  const { document, basePath, operations } = contract;
  const mock = createMock(document, {
    seed,
    dynamic,
    faults: createFaults({ ...options, seed }),
    ...(onBadExample && { onBadExample }),
    ...(options.stateful === true && { state: (parts) => createContractState(contract, parts) }),
  });
  const errors = {
    ...createErrors(document, operations, mock),
    onFailure: (failure: Failure) => {
      if (failure.problem.status >= 500) onFailure?.(failure);
    },
  };
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  const api = createRouter(contract, {
    ...errors,
    handlers: {},
    unimplemented: mock.makeHandler,
    authenticators: Object.fromEntries(schemes.map((name) => [name, () => ({})])),
    bodyLimit: BODY_LIMIT,
  });

  const app = express().disable("x-powered-by");
  app.use(watch(options));
  if (options.cors === true) {
    const responses = operations.flatMap((operation) => readResponses(document, operation, mock.responses));
    app.use(createCors(responses.flatMap(({ headers }) => headers.map(({ name }) => name))));
  }
  app.use(readQuery);
  app.use(api);
  app.use(() => {
    throw new HttpError("not_found", { message: `The contract's paths are below ${basePath}` });
  });
  app.use(createErrorHandler(errors));
  const server = createHttpServer(app, errors);
  const port = await listen(server, options.port, host);
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${port}${basePath}`, port, stop: () => stop(server) };
}

/** In bytes: clients are tried out with what they have. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** Nobody has a certificate on a connection without TLS: what requires one requires the rest of its credentials only. */
function withoutCertificates(contract: RoutedContract): RoutedContract {
  const isPossible = (name: string) => getSecurityScheme(contract.document, name)?.type !== "mutualTLS";
  const operations = contract.operations.map((operation) => ({
    ...operation,
    security: operation.security.map((requirement) =>
      Object.fromEntries(Object.entries(requirement).filter(([name]) => isPossible(name))),
    ),
  }));
  return { ...contract, operations };
}

/** `?__code=404` is `Prefer: code=404`; a request that has the header means that. */
const readQuery: RequestHandler = (request, _response, next) => {
  const taken = takePreferences(request.url);
  if (taken !== undefined) {
    request.url = taken.target;
    request.headers["prefer"] ??= taken.prefer;
  }
  next();
};

function watch({ onAnswer }: MockServerOptions): RequestHandler {
  return (request, response, next) => {
    const { method, url: target } = request;
    response.on("finish", () => {
      const operationId = response.locals["operationId"] as string | undefined;
      onAnswer?.({ method, target, status: response.statusCode, operationId });
    });
    next();
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
