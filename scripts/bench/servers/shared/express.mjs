// What the servers on Express have in common.
import {
  authenticate,
  FAILED,
  HEADERS,
  logRequest,
  MALFORMED_JSON,
  TOO_LARGE,
  toRequestId,
  toUnauthorized,
} from "./service.mjs";

/** Gives every request its id, every answer its headers, and the log its line. */
export function prepare(app) {
  app.disable("x-powered-by");
  app.disable("etag");
  app.use((request, response, next) => {
    const { method, path } = request;
    const log = {
      requestId: toRequestId(request.get("x-request-id")),
      method,
      path,
      start: performance.now(),
    };
    response.set({ "X-Request-Id": log.requestId, ...HEADERS });
    response.once("close", () => {
      const { operationId, keyId } = response.locals;
      logRequest({ ...log, operationId, keyId, status: response.statusCode });
    });
    next();
  });
  return app;
}

/** Names the operation for the log; its headers are on all its answers. */
export function operation(id, headers) {
  return (_, response, next) => {
    response.locals.operationId = id;
    if (headers !== undefined) response.set(headers);
    next();
  };
}

export async function authenticated(request, response, next) {
  const { authorization } = request.headers;
  const principal = await authenticate(authorization);
  if (principal === undefined) {
    const { headers, body } = toUnauthorized(authorization);
    return response.status(401).set(headers).json(body);
  }
  response.locals.keyId = principal.id;
  next();
}

/** @type {import("express").ErrorRequestHandler} */
// Express knows an error handler by its four parameters.
// eslint-disable-next-line @typescript-eslint/no-unused-vars
export function answerError(error, _request, response, _next) {
  const body =
    error.type === "entity.parse.failed"
      ? MALFORMED_JSON
      : error.type === "entity.too.large"
        ? TOO_LARGE
        : FAILED;
  response.status(body.status).json(body);
}
