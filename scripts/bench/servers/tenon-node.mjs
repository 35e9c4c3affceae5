// The service's contract and handlers on bare node:http, without Express: how fast they could be.
import { createServer, ServerResponse } from "node:http";
import { createApi } from "../../../dist/generated/v1/server.js";
import { pets } from "../../../dist/src/petstore/handlers/pets.js";
import { toErrorBody as errorBody } from "../../../dist/src/petstore/errors.js";
import {
  announce,
  BODY_LIMIT,
  HEADERS,
  keys,
  logRequest,
  NO_PATH,
  store,
  toRequestId,
} from "./shared/service.mjs";

const api = createApi({
  errorBody,
  handlers: pets,
  authenticators: { bearerAuth: (key) => keys.authenticateKey(key) },
  context: () => ({ store }),
  responseValidation: "report",
  responseSampling: 100,
  bodyLimit: BODY_LIMIT,
});

/** With the one thing of Express's that the router writes to. */
class Response extends ServerResponse {
  locals = {};
}

const server = createServer({ ServerResponse: Response }, (request, response) => {
  const { method, url } = request;
  const [path] = url.split("?", 1);
  const log = {
    requestId: toRequestId(request.headers["x-request-id"]),
    method,
    path,
    start: performance.now(),
  };
  response.setHeader("X-Request-Id", log.requestId);
  for (const name in HEADERS) response.setHeader(name, HEADERS[name]);
  response.once("close", () => {
    const { operationId, auth } = response.locals;
    logRequest({ ...log, operationId, keyId: auth?.bearerAuth?.id, status: response.statusCode });
  });
  api(request, response, () => {
    response.writeHead(404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(NO_PATH));
  });
});
server.listen(0, "127.0.0.1", () => announce(server));
