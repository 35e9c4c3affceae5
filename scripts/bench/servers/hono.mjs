// The contract on Hono with zod-openapi, served by Node.
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
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
  logRequest,
  MALFORMED_JSON,
  NO_PATH,
  STATUSES,
  store,
  toErrorBody,
  TOO_LARGE,
  toNotFound,
  toRequestId,
  toUnauthorized,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

const NewPet = z.object({ name: z.string(), categoryId: z.int(), status: z.enum(STATUSES).optional() });
const Pet = NewPet.extend({ id: z.int() });
const ErrorBody = z.object({ code: z.string(), message: z.string(), status: z.int() });
const integer = z
  .string()
  .regex(/^-?\d+$/, "must be an integer")
  .transform(Number);
const ListQuery = z.strictObject({
  limit: integer.pipe(z.int().min(1).max(100)).default(20),
  status: z.enum(STATUSES).optional(),
  cursor: z.string().optional(),
});

const json = (schema, description) => ({ description, content: { "application/json": { schema } } });
const failures = { 400: json(ErrorBody, "Not allowed"), 401: json(ErrorBody, "No valid key") };

const named = (operationId, headers = {}) =>
  createMiddleware(async (c, next) => {
    c.set("operationId", operationId);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    await next();
  });

const authenticated = createMiddleware(async (c, next) => {
  const authorization = c.req.header("authorization");
  const principal = await authenticate(authorization);
  if (principal === undefined) {
    const { headers, body } = toUnauthorized(authorization);
    return c.json(body, 401, headers);
  }
  c.set("keyId", principal.id);
  await next();
});

const refuseTooLarge = (c) => c.json(TOO_LARGE, 413);
const countBytes = bodyLimit({ maxSize: BODY_LIMIT, onError: refuseTooLarge });

const takesJson = createMiddleware(async (c, next) => {
  // zod-openapi takes a body of another type for none.
  if (!/^application\/json(?:;|$)/i.test(c.req.header("content-type") ?? ""))
    return c.json(UNSUPPORTED_MEDIA_TYPE, 415);
  // Hono's own limit touches the body as a stream, which makes Node's adapter six times slower; the length is told mostly.
  const length = c.req.header("content-length");
  if (length === undefined) return countBytes(c, next);
  if (Number(length) > BODY_LIMIT) return refuseTooLarge(c);
  await next();
});

const app = new OpenAPIHono({
  defaultHook({ success, error, target }, c) {
    if (success) return undefined;
    const told = error.issues
      .map(({ path, keys, message }) => `${[...path, ...(keys ?? [])].join("/")}: ${message}`)
      .join("; ");
    const code = target === "json" ? "invalid_body" : "invalid_parameter";
    return c.json(toErrorBody(400, code, told), 400);
  },
});

app.use(async (c, next) => {
  const start = performance.now();
  const requestId = toRequestId(c.req.header("x-request-id"));
  c.header("X-Request-Id", requestId);
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  await next();
  const { operationId, keyId } = c.var;
  const { method, path } = c.req;
  logRequest({ requestId, method, path, operationId, keyId, status: c.res.status, start });
});

app.openapi(
  createRoute({
    method: "get",
    path: "/v1/pets",
    middleware: [named("listPets"), authenticated],
    request: { query: ListQuery },
    responses: { 200: json(z.array(Pet), "A page"), ...failures },
  }),
  async (c) => {
    const page = await listPets(c.req.valid("query"));
    if (page === undefined) return c.json(BAD_CURSOR, 400);
    if (page.link !== undefined) c.header("Link", page.link);
    return c.json(page.pets, 200);
  },
);
app.openapi(
  createRoute({
    method: "post",
    path: "/v1/pets",
    middleware: [named("createPet"), authenticated, takesJson],
    request: { body: { required: true, content: { "application/json": { schema: NewPet } } } },
    responses: { 201: json(Pet, "The animal"), ...failures },
  }),
  async (c) => c.json(await createPet(c.req.valid("json")), 201),
);
app.openapi(
  createRoute({
    method: "get",
    path: "/v1/pets/{petId}",
    middleware: [named("getPet", DEPRECATION), authenticated],
    request: { params: z.object({ petId: integer.pipe(z.int()) }), query: z.strictObject({}) },
    responses: { 200: json(Pet, "The animal"), 404: json(ErrorBody, "No such animal"), ...failures },
  }),
  async (c) => {
    const { petId } = c.req.valid("param");
    const pet = await store.pets.get(petId);
    return pet === undefined ? c.json(toNotFound(petId), 404) : c.json(pet, 200);
  },
);

app.notFound((c) => c.json(NO_PATH, 404));
app.onError((error, c) =>
  error instanceof HTTPException && error.status === 400 ? c.json(MALFORMED_JSON, 400) : c.json(FAILED, 500),
);

const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => announce(server));
