import type { Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { mock } from "../../../src/cli/mock/index.js";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";
import { toRouted } from "./serve.js";

const json = (schema: object) => ({ "application/json": { schema } });

const CONTRACT = toRouted({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/things": {
      get: { operationId: "listThings", responses: { "200": { description: "ok", content: json({}) } } },
      post: {
        operationId: "createThing",
        security: [{ bearer: [] }],
        requestBody: { required: true, content: json({ type: "object", required: ["name"] }) },
        responses: {
          "201": {
            description: "ok",
            content: json({ type: "object", required: ["id"], properties: { id: { type: "integer" } } }),
          },
        },
      },
    },
    "/things/{id}:archive": {
      put: {
        operationId: "archiveThing",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: { "204": { description: "done" }, default: { description: "other" } },
      },
    },
    "/later": { get: { operationId: "later", responses: { "501": { description: "not yet" } } } },
  },
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
});

const { NODE_ENV } = process.env;
let server: Server;
let port: number;
beforeEach(async () => {
  const errors = { errorBody: ({ message }: { message: string }) => ({ message }) };
  const api = createRouter(CONTRACT, {
    ...errors,
    handlers: {
      listThings: (_: unknown, reply: Record<number, (body: unknown) => unknown>) => reply[200]?.([]),
    },
    authenticators: { bearer: () => ({}) },
    unimplemented: mock(),
  });
  server = createHttpServer(express().use(api), errors);
  port = await listen(server);
});
afterEach(async () => {
  process.env["NODE_ENV"] = NODE_ENV;
  await close(server);
});

const headers = { Authorization: "Bearer good", "Content-Type": "application/json" };
const create = (body: string) => send(port, "/v1/things", { method: "POST", headers, body });

describe("operations without a handler", () => {
  test("respond with the mock and mark it; the others do not", async () => {
    const created = await create(JSON.stringify({ name: "a" }));
    expect(created.status).toBe(201);
    expect(created.headers["tenon-mock"]).toBe("true");
    expect(created.json).toMatchObject({ id: expect.any(Number) as unknown });
    const listed = await send(port, "/v1/things");
    expect([listed.status, listed.json]).toEqual([200, []]);
    expect(listed.headers["tenon-mock"]).toBeUndefined();
  });

  test("are enforced like all others", async () => {
    expect((await send(port, "/v1/things", { method: "POST" })).status).toBe(401);
    expect((await create("{}")).status).toBe(400);
  });

  test("respect Prefer", async () => {
    const put = (Prefer: string) =>
      send(port, "/v1/things/7:archive", { method: "PUT", headers: { Prefer } });
    expect((await put("code=409")).status).toBe(409);
    expect((await put("code=abc")).status).toBe(400);
    expect((await put("")).status).toBe(204);
  });

  test("respond with 501 where the contract declares nothing else", async () => {
    expect((await send(port, "/v1/later")).status).toBe(501);
  });
});

test("the mock refuses to run in production", () => {
  process.env["NODE_ENV"] = "production";
  expect(() => mock()).toThrow(/must not be used in production .*use unimplemented: "501"/);
});
