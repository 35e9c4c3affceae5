import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import type { Operation } from "tenon/core/model";
import type { Document } from "./contract.js";
import { KEY } from "./draft.js";
import { type Seen, answerNotFound, createApp, namesOf, pick, toHeaders } from "./seen.js";

export interface PlainContract {
  readonly document: Document;
  readonly basePath: string;
  readonly operations: readonly Operation[];
}

/**
 * As the README of express-openapi-validator says, with Express's own body parser before it. Cookies are read as cookie-parser
 * would, which it asks for.
 */
export function createPlainServer({ document, basePath, operations }: PlainContract): RequestListener {
  const app = createApp();
  app.use(express.json());
  app.use((request, _response, next) => {
    request.cookies = Object.fromEntries(
      (request.headers.cookie ?? "").split("; ").map((pair) => {
        const at = pair.indexOf("=");
        return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))] as const;
      }),
    );
    next();
  });
  app.use(createValidator(document, basePath));
  for (const { method, path, parameters, stub } of operations) {
    const route = `${basePath}${path.replace(/\{([^{}]+)\}/g, ":$1")}`;
    // What Express itself cannot route, no request asks for, save to show that it is not routed.
    if (!/^(\/:?\w+|-\w+)+$/.test(route) || /:\w+-/.test(route)) continue;
    app[method as "get"](route, (request: Request, response) => {
      const query = pick(request.query, namesOf(parameters, "query"));
      const headers = toHeaders(parameters, request.headers);
      const seen: Seen = { path: { ...request.params }, query, headers, body: request.body as unknown };
      response.status(stub ? 501 : 200).json(seen);
    });
  }
  return app.use(answerNotFound).use(answerError) as RequestListener;
}

/** As the README's: whatever has no status is a fault of the server. */
// eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express knows an error handler by its four parameters
const answerError: ErrorRequestHandler = (error: { status?: number }, _request, response, _next) => {
  response.status(error.status ?? 500).json({});
};

/** The middleware alone, which refuses a contract that it cannot take only when the first request comes. */
function createValidator(document: Document, basePath: string): RequestHandler[] {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  const handlers = schemes.map(([id, scheme]) => {
    const authenticate = (request: Request) => {
      const { in: place, name = "" } = scheme;
      if (place === "query") return request.query[name] === KEY;
      if (place === "cookie") return (request.cookies as Record<string, string>)[name] === KEY;
      if (place === "header") return request.headers[name.toLowerCase()] === KEY;
      return request.headers.authorization === `Bearer ${KEY}`;
    };
    return [id, authenticate] as const;
  });
  // The servers of a contract may have variables; where they all lead to is what the runtime serves below.
  const apiSpec = { ...structuredClone(document), servers: [{ url: basePath || "/" }] };
  return OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateRequests: { coerceTypes: false, allowUnknownQueryParameters: false },
    validateResponses: false,
    validateSecurity: { handlers: Object.fromEntries(handlers) },
  });
}
