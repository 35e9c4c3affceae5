// The contract on Express with express-openapi-validator, as its documentation says.
import express from "express";
import OpenApiValidator from "express-openapi-validator";
import { answerError, operation, prepare } from "./shared/express.mjs";
import { contract } from "./shared/contract.mjs";
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

const app = prepare(express());
app.use(express.json({ limit: BODY_LIMIT, strict: false }));
// Ahead of the validator, whose refusals are answers of the operation too.
app.get("/v1/pets/:petId", operation("getPet", DEPRECATION));
app.use(
  OpenApiValidator.middleware({
    apiSpec: contract,
    validateResponses: false,
    validateSecurity: {
      handlers: {
        async bearerAuth(request) {
          const principal = await authenticate(request.headers.authorization);
          request.res.locals.keyId = principal?.id;
          return principal !== undefined;
        },
      },
    },
  }),
);

app.get("/v1/pets", operation("listPets"), async (request, response) => {
  const page = await listPets(request.query);
  if (page === undefined) return response.status(400).json(BAD_CURSOR);
  if (page.link !== undefined) response.set("Link", page.link);
  response.json(page.pets);
});
app.post("/v1/pets", operation("createPet"), async (request, response) => {
  response.status(201).json(await createPet(request.body));
});
app.get("/v1/pets/:petId", async (request, response) => {
  const id = Number(request.params.petId);
  const pet = await store.pets.get(id);
  if (pet === undefined) return response.status(404).json(toNotFound(id));
  response.json(pet);
});

app.use((error, request, response, next) => {
  switch (error.status) {
    case 400: {
      if (error.errors === undefined) return next(error);
      const told = error.errors.map(({ path, message }) => `${path.slice(1)} ${message}`).join("; ");
      const inBody = error.errors.every(({ path }) => path.startsWith("/body"));
      const code = inBody ? "invalid_body" : "invalid_parameter";
      return response.status(400).json(toErrorBody(400, code, told));
    }
    case 401: {
      const { headers, body } = toUnauthorized(request.headers.authorization);
      return response.status(401).set(headers).json(body);
    }
    case 404:
      return response.status(404).json(NO_PATH);
    case 415:
      return response.status(415).json(UNSUPPORTED_MEDIA_TYPE);
    default:
      next(error);
  }
});
app.use(answerError);
const server = app.listen(0, "127.0.0.1", () => announce(server));
