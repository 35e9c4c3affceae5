// What is the same whatever a service is written with: the store, the keys, the log, and what the contract says beside
// its schemas. The servers differ in routing, reading, validating, serialising and answering errors.
import { randomUUID } from "node:crypto";
import { decodeCursor, encodeCursor } from "../../../../dist/src/petstore/handlers/cursor.js";
import { Keys } from "../../../../dist/src/petstore/keys/keys.js";
import { createLogger } from "../../../../dist/src/petstore/log.js";
import { openStore } from "../../../../dist/src/petstore/store/open.js";
import { createMemoryStore } from "./memory-store.mjs";

export { announce } from "./announce.mjs";

const { DATABASE_URL, BENCH_KEY, LOG_LEVEL = "info" } = process.env;

export const store =
  DATABASE_URL === undefined ? createMemoryStore(BENCH_KEY) : await openStore(DATABASE_URL);
export const keys = new Keys(store.keys);
/** One line for each request, as the service writes it. */
export const logger = createLogger(LOG_LEVEL);

/** Largest request body, in bytes. */
export const BODY_LIMIT = 102_400;
export const STATUSES = ["available", "pending", "sold"];

/** On every answer. */
export const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};

/** On every answer of the deprecated `GET /pets/{petId}`. */
export const DEPRECATION = {
  Deprecation: "@1795219200",
  Sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
  Link: '</v1/pets>; rel="successor-version"',
};

/** The caller's own id of a request where it is usable, else a new one. */
export function toRequestId(sent) {
  return sent !== undefined && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/** Logs a request that is over; the path without its query. */
export function logRequest({ requestId, method, path, operationId, keyId, status, start }) {
  const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
  logger.info({ requestId, method, path, operationId, keyId, status, durationMs }, "request");
}

/** Whom the `Authorization` header stands for; undefined for nobody. */
export async function authenticate(authorization) {
  const key = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? "")?.[1];
  return key === undefined ? undefined : keys.authenticateKey(key);
}

export function toErrorBody(status, code, message) {
  return { code, message, status };
}

/** The answer to whom {@link authenticate} does not know. */
export function toUnauthorized(authorization) {
  const realm = 'Bearer realm="Pet Store Service"';
  return authorization === undefined
    ? {
        headers: { "WWW-Authenticate": realm },
        body: toErrorBody(401, "unauthorized", "Missing credentials; expected Authorization: Bearer <token>"),
      }
    : {
        headers: { "WWW-Authenticate": `${realm}, error="invalid_token"` },
        body: toErrorBody(401, "unauthorized", "The credential is malformed, unknown or no longer valid"),
      };
}

/** One page with the value of its `Link` header; undefined for a cursor that nobody gave out. */
export async function listPets({ limit, status, cursor }) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const { pets, next } = await store.pets.list({ limit, status, after });
  if (next === undefined) return { pets };
  const query = new URLSearchParams({
    limit: String(limit),
    ...(status !== undefined && { status }),
    cursor: encodeCursor(next),
  });
  return { pets, link: `</v1/pets?${query}>; rel="next"` };
}

export const BAD_CURSOR = toErrorBody(
  400,
  "invalid_parameter",
  'Query parameter "cursor" must come from a Link header of this service',
);

/** Takes only what is kept: other members of a body are ignored. */
export function createPet({ name, categoryId, status }) {
  return store.pets.create({ name, categoryId, ...(status !== undefined && { status }) });
}

export function toNotFound(petId) {
  return toErrorBody(404, "pet_not_found", `No pet has the id ${petId}`);
}

export const NO_PATH = toErrorBody(404, "not_found", "There is no such path");
export const MALFORMED_JSON = toErrorBody(400, "malformed_json", "The body is not JSON");
export const UNSUPPORTED_MEDIA_TYPE = toErrorBody(
  415,
  "unsupported_media_type",
  "Content-Type must be application/json",
);
export const TOO_LARGE = toErrorBody(413, "content_too_large", "The body is too large");
export const FAILED = toErrorBody(500, "internal_error", "The service failed to process this request");
