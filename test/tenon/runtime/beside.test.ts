import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";

const OK = { "200": { description: "d", content: { "application/json": { schema: {} } } } };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: "/v1" }],
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: "session" },
    },
  },
  paths: {
    "/pets/{petId}": {
      parameters: [{ name: "petId", in: "path", required: true, schema: { type: "integer" } }],
      get: { operationId: "getPet", security: [{ bearer: [] }], responses: OK },
      put: {
        operationId: "putPet",
        security: [{ session: [] }],
        requestBody: { content: { "application/json": { schema: { type: "nonsense" } } } },
        responses: OK,
      },
    },
    "/pets/mine": { get: { operationId: "myPet", responses: OK } },
  },
};
let server: Server;
afterEach(() => close(server));

/** An older app that responds to every request with what it received, and the API in front of it, with one handler. */
async function start(): Promise<number> {
  const app = express();
  app.use(
    createRouter(buildContract(DOCUMENT), {
      handlers: { getPet: (_: unknown, reply: { 200: (body: unknown) => unknown }) => reply[200]("new") },
      // Only the older app knows the session.
      authenticators: { bearer: (key: string) => key === "good" || undefined },
      unimplemented: "next",
      errorBody: (problem) => problem,
      onFailure: () => undefined,
    }),
  );
  app.use(express.json(), (request, response) => {
    const { method: older, url, body } = request as { method: string; url: string; body: unknown };
    response.json({ older, url, body, ...response.locals });
  });
  server = createServer(app as RequestListener);
  return listen(server);
}

const authorized = { authorization: "Bearer good" };

test('unimplemented: "next" serves the operations with a handler, including their errors', async () => {
  const port = await start();
  expect(await send(port, "/v1/pets/1", { headers: authorized })).toMatchObject({ status: 200, json: "new" });
  expect(await send(port, "/v1/pets/1", { method: "HEAD", headers: authorized })).toMatchObject({
    status: 200,
    text: "",
  });
  expect(await send(port, "/v1/pets/x", { headers: authorized })).toMatchObject({ status: 400 });
  expect(await send(port, "/v1/pets/1")).toMatchObject({ status: 401 });
});

test.each([
  ["an operation without a handler", "PUT", "/v1/pets/1"],
  ["one whose path looks like one with a handler", "GET", "/v1/pets/mine"],
  ["another method of a path", "DELETE", "/v1/pets/1"],
  ["OPTIONS, which another layer may answer for browsers", "OPTIONS", "/v1/pets/1"],
  ["an unknown path", "GET", "/v1/nope?a=b"],
  ["what is outside the base path", "GET", "/nope"],
])("it leaves the rest as it came: %s", async (_, method, url) => {
  const port = await start();
  const body = '{"name":"Rex"}';
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  const answer = await send(port, url, { method, headers, body });
  expect(answer).toMatchObject({ status: 200, json: { older: method, url, body: { name: "Rex" } } });
  expect(answer.json).not.toHaveProperty("operationId");
});
