// The contract on Fastify: schemas for what comes in and for what goes out.
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import Fastify, { LogController } from "fastify";
import {
  announce,
  authenticate,
  BAD_CURSOR,
  BODY_LIMIT,
  createPet,
  DEPRECATION,
  FAILED,
  HEADERS,
  listPets,
  logger,
  logRequest,
  MALFORMED_JSON,
  NO_PATH,
  STATUSES,
  store,
  TOO_LARGE,
  toErrorBody,
  toNotFound,
  toRequestId,
  toUnauthorized,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

const int64 = {
  type: "integer",
  format: "int64",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};
const status = { type: "string", enum: STATUSES };
const newPet = {
  type: "object",
  required: ["name", "categoryId"],
  properties: { name: { type: "string" }, categoryId: int64, status },
};
const pet = {
  ...newPet,
  required: ["id", ...newPet.required],
  properties: { id: int64, ...newPet.properties },
};
const error = {
  type: "object",
  required: ["code", "message", "status"],
  properties: { code: { type: "string" }, message: { type: "string" }, status: { type: "integer" } },
};

const app = Fastify({
  loggerInstance: logger,
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: BODY_LIMIT,
  genReqId: ({ headers }) => toRequestId(headers["x-request-id"]),
  requestIdHeader: false,
});

// Texts of a query and of a path become numbers, members of a body do not.
const coercing = addFormats(new Ajv({ coerceTypes: true, useDefaults: true }));
const exact = addFormats(new Ajv());
app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === "body" ? exact : coercing).compile(schema));

// Otherwise text is a body that only the schema refuses.
app.removeContentTypeParser("text/plain");
app.decorateRequest("keyId");
app.decorateRequest("start", 0);
app.addHook("onRequest", async (request, reply) => {
  request.start = performance.now();
  reply.headers({ "X-Request-Id": request.id, ...HEADERS });
});
app.addHook("onResponse", async (request, reply) => {
  const { id, method, url, keyId, start, routeOptions } = request;
  const [path] = url.split("?", 1);
  const { operationId } = routeOptions.schema ?? {};
  logRequest({ requestId: id, method, path, operationId, keyId, status: reply.statusCode, start });
});

async function authenticated(request, reply) {
  const { authorization } = request.headers;
  const principal = await authenticate(authorization);
  if (principal === undefined) {
    const { headers, body } = toUnauthorized(authorization);
    return reply.code(401).headers(headers).send(body);
  }
  request.keyId = principal.id;
}

async function deprecated(_, reply) {
  reply.headers(DEPRECATION);
}

app.register(
  async (v1) => {
    v1.get("/pets", {
      onRequest: authenticated,
      schema: {
        operationId: "listPets",
        querystring: {
          type: "object",
          additionalProperties: false,
          properties: {
            limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
            status,
            cursor: { type: "string" },
          },
        },
        response: { 200: { type: "array", items: pet }, "4xx": error },
      },
      async handler({ query }, reply) {
        const page = await listPets(query);
        if (page === undefined) return reply.code(400).send(BAD_CURSOR);
        if (page.link !== undefined) reply.header("Link", page.link);
        return page.pets;
      },
    });
    v1.post("/pets", {
      onRequest: authenticated,
      schema: { operationId: "createPet", body: newPet, response: { 201: pet, "4xx": error } },
      async handler({ body }, reply) {
        reply.code(201);
        return createPet(body);
      },
    });
    v1.get("/pets/:petId", {
      onRequest: [deprecated, authenticated],
      schema: {
        operationId: "getPet",
        params: { type: "object", properties: { petId: int64 } },
        querystring: { type: "object", additionalProperties: false },
        response: { 200: pet, "4xx": error },
      },
      async handler({ params: { petId } }, reply) {
        const found = await store.pets.get(petId);
        if (found !== undefined) return found;
        return reply.code(404).send(toNotFound(petId));
      },
    });
  },
  { prefix: "/v1" },
);

app.setNotFoundHandler((_, reply) => reply.code(404).send(NO_PATH));

const ANSWERS = {
  FST_ERR_CTP_INVALID_JSON_BODY: MALFORMED_JSON,
  FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED_JSON,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE,
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
};
app.setErrorHandler((failure, _, reply) => {
  const { validation, validationContext, message, code } = failure;
  const invalid = validationContext === "body" ? "invalid_body" : "invalid_parameter";
  const unknown = validation?.[0]?.params.additionalProperty;
  const told = unknown === undefined ? message : `Query parameter "${unknown}" is unknown`;
  const body = validation ? toErrorBody(400, invalid, told) : (ANSWERS[code] ?? FAILED);
  return reply.code(body.status).send(body);
});

await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server);
