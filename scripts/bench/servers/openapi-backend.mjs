// The contract on Express with openapi-backend, which routes, validates and authenticates by the contract.
import addFormats from "ajv-formats";
import express from "express";
import { OpenAPIBackend } from "openapi-backend";
import { contract } from "./shared/contract.mjs";
import { answerError, prepare } from "./shared/express.mjs";
import {
  announce,
  authenticate,
  BAD_CURSOR,
  BODY_LIMIT,
  createPet,
  DEPRECATION,
  listPets,
  NO_PATH,
  store,
  toErrorBody,
  toNotFound,
  toUnauthorized,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

const api = new OpenAPIBackend({
  definition: contract,
  apiRoot: "/v1",
  coerceTypes: true,
  // Its own check of documents does not know OpenAPI 3.1.
  quick: true,
  // Its validator knows no formats by itself.
  customizeAjv: (ajv) => addFormats(ajv, { mode: "fast" }),
  securityHandlers: { bearerAuth: (_, request) => authenticate(request.headers.authorization) },
  handlers: {
    async listPets(context, _, response) {
      const { limit = 20, status, cursor } = context.validation.coerced.query;
      const page = await listPets({ limit, status, cursor });
      if (page === undefined) return response.status(400).json(BAD_CURSOR);
      if (page.link !== undefined) response.set("Link", page.link);
      response.json(page.pets);
    },
    async createPet(context, _, response) {
      response.status(201).json(await createPet(context.request.requestBody));
    },
    async getPet(context, _, response) {
      // The request that is parsed again with numbers has lost its path.
      const id = context.validation.coerced.params.petId;
      const pet = await store.pets.get(id);
      if (pet === undefined) return response.status(404).json(toNotFound(id));
      response.json(pet);
    },
    unauthorizedHandler(_, request, response) {
      const { headers, body } = toUnauthorized(request.headers.authorization);
      response.status(401).set(headers).json(body);
    },
    validationFail(context, request, response) {
      if (request.method === "POST" && !request.is("application/json"))
        return response.status(415).json(UNSUPPORTED_MEDIA_TYPE);
      const errors = context.validation.errors;
      const told = errors
        .map(
          ({ instancePath, message, params }) =>
            `${instancePath} ${params.additionalProperty ?? ""} ${message}`,
        )
        .join("; ");
      const inBody = errors.every(({ instancePath }) => instancePath.startsWith("/requestBody"));
      response.status(400).json(toErrorBody(400, inBody ? "invalid_body" : "invalid_parameter", told));
    },
    notFound: (_, __, response) => response.status(404).json(NO_PATH),
    postSecurityHandler(context, _, response) {
      response.locals.operationId = context.operation.operationId;
      response.locals.keyId = context.security.bearerAuth?.id;
    },
  },
});
await api.init();

const app = prepare(express());
app.use(express.json({ limit: BODY_LIMIT, strict: false }));
app.get("/v1/pets/:petId", (_, response, next) => {
  response.set(DEPRECATION);
  next();
});
app.use((request, response) => api.handleRequest(request, request, response));
app.use(answerError);
const server = app.listen(0, "127.0.0.1", () => announce(server));
