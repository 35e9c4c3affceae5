// The contract on bare node:http, written by hand.
import { createServer } from "node:http";
import { BAD_PET_ID, findBodyProblems, readListQuery, readPetId } from "./shared/rules.mjs";
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
  store,
  toErrorBody,
  TOO_LARGE,
  toNotFound,
  toRequestId,
  toUnauthorized,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

function send(response, status, headers, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "X-Request-Id": response.requestId,
    ...HEADERS,
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

const refuse = (response, { status, ...body }, headers) =>
  send(response, status, headers, { ...body, status });

function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let length = 0;
    request.on("data", (chunk) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
    });
    request.on("end", () =>
      resolve(length > BODY_LIMIT ? undefined : Buffer.concat(chunks).toString("utf8")),
    );
    request.on("error", reject);
  });
}

async function list(search, response) {
  const query = {};
  for (const [name, value] of new URLSearchParams(search))
    query[name] = name in query ? [query[name], value] : value;
  const { problems, value } = readListQuery(query);
  if (problems.length > 0)
    return refuse(response, toErrorBody(400, "invalid_parameter", problems.join("; ")));
  const page = await listPets(value);
  if (page === undefined) return refuse(response, BAD_CURSOR);
  send(response, 200, page.link === undefined ? undefined : { Link: page.link }, page.pets);
}

async function create(request, response) {
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(request.headers["content-type"] ?? ""))
    return refuse(response, UNSUPPORTED_MEDIA_TYPE);
  const text = await readBody(request);
  if (text === undefined) return refuse(response, TOO_LARGE, { Connection: "close" });
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse(response, MALFORMED_JSON);
  }
  const problems = findBodyProblems(body);
  if (problems.length > 0) return refuse(response, toErrorBody(400, "invalid_body", problems.join("; ")));
  send(response, 201, undefined, await createPet(body));
}

async function get(text, search, response) {
  const id = readPetId(text);
  const [unknown] = new URLSearchParams(search).keys();
  const problem = unknown === undefined ? BAD_PET_ID : `Query parameter "${unknown}" is unknown`;
  if (id === undefined || unknown !== undefined)
    return refuse(response, toErrorBody(400, "invalid_parameter", problem), DEPRECATION);
  const pet = await store.pets.get(id);
  if (pet === undefined) return refuse(response, toNotFound(id), DEPRECATION);
  send(response, 200, DEPRECATION, pet);
}

async function serve(request, response, path, search, log) {
  const { method, headers } = request;
  const id = path.startsWith("/v1/pets/") ? path.slice("/v1/pets/".length) : undefined;
  if (path === "/v1/pets" && method === "GET") log.operationId = "listPets";
  else if (path === "/v1/pets" && method === "POST") log.operationId = "createPet";
  else if (id !== undefined && id !== "" && !id.includes("/") && method === "GET") log.operationId = "getPet";
  else return refuse(response, NO_PATH);

  const principal = await authenticate(headers.authorization);
  if (principal === undefined) {
    const { body, headers: challenge } = toUnauthorized(headers.authorization);
    return refuse(
      response,
      body,
      log.operationId === "getPet" ? { ...DEPRECATION, ...challenge } : challenge,
    );
  }
  log.keyId = principal.id;
  if (log.operationId === "listPets") return list(search, response);
  if (log.operationId === "createPet") return create(request, response);
  return get(id, search, response);
}

const server = createServer((request, response) => {
  const { method, url } = request;
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const log = {
    requestId: toRequestId(request.headers["x-request-id"]),
    method,
    path,
    start: performance.now(),
  };
  response.requestId = log.requestId;
  response.once("close", () => logRequest({ ...log, status: response.statusCode }));
  serve(request, response, path, mark === -1 ? "" : url.slice(mark + 1), log).catch(() =>
    refuse(response, FAILED),
  );
});
server.listen(0, "127.0.0.1", () => announce(server));
