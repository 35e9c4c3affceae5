import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import { emitClient } from "../../../src/cli/generate/client.js";
import {
  type ClientContract,
  type ClientOperation,
  createContractClient,
  defineCall,
} from "../../../src/tenon/client/index.js";
import { createRouter } from "../../../src/tenon/runtime/routing/router.js";
import { toContract } from "../../cli/generate/contract.js";
import { close, listen, send } from "../../support/http.js";

const toOperation = (operationId: string, servers?: readonly object[]) => ({
  operationId,
  responses: { "200": { description: "", content: { "application/json": { schema: {} } } } },
  ...(servers && { servers }),
});

const contract = toContract({
  openapi: "3.1.0",
  info: { title: "Base paths", version: "1.0.0" },
  servers: [
    { url: "https://a.example/{version}", variables: { version: { default: "v2", enum: ["v1", "v2"] } } },
    { url: "/beta" },
  ],
  paths: {
    "/pets": { get: toOperation("list"), post: toOperation("upload", [{ url: "https://files.example/up" }]) },
    "/old": { servers: [{ url: "/v1" }], get: toOperation("old") },
  },
});

let server: Server;
let port: number;

beforeAll(async () => {
  const toHandler =
    (id: string) =>
    (_: unknown, reply: { readonly 200: (body: unknown) => unknown }): unknown =>
      reply[200](id);
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, toHandler(id)]));
  const app = express();
  app.use(createRouter(contract, { handlers, errorBody: (problem) => problem }));
  app.use((_, response) => void response.status(418).end());
  server = createServer(app as RequestListener);
  port = await listen(server);
});
afterAll(() => close(server));

test.each<[method: string, path: string, want: object]>([
  ["GET", "/v1/pets", { status: 200, json: "list" }],
  ["GET", "/v2/pets", { status: 200, json: "list" }],
  ["GET", "/beta/pets", { status: 200, json: "list" }],
  ["POST", "/up/pets", { status: 200, json: "upload" }],
  ["POST", "/v2/pets", { status: 405 }],
  ["GET", "/up/pets", { status: 405 }],
  ["GET", "/v1/old", { status: 200, json: "old" }],
  ["GET", "/v2/old", { status: 404 }],
  ["GET", "/up/old", { status: 404 }],
  ["GET", "/v3/pets", { status: 418 }],
])("%s %s is %j", async (method, path, want) => {
  expect(await send(port, path, { method })).toMatchObject(want);
});

test("the client calls an operation at its own base path", async () => {
  const files = emitClient(contract, { source: "openapi.yaml", marked: false });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the generated data
  const evaluate = (text: string): unknown => new Function(`return ${text}`)();
  const [, shared = ""] =
    /const contract: ClientContract = (\{.*?\});/s.exec(files.get("client.ts") ?? "") ?? [];
  const data = [...(files.get("calls.ts") ?? "").matchAll(/defineCall<[^(]*>\((\{.*?\n\})\);/gs)].map(
    ([, text = ""]) => evaluate(text) as ClientOperation,
  );
  const calls = Object.fromEntries(data.map((operation) => [operation.id, defineCall(operation)]));
  const client = createContractClient(evaluate(shared) as ClientContract, calls, {
    baseUrl: `http://127.0.0.1:${port}/v2/`,
  }) as never as Record<"GET" | "POST", (path: string) => Promise<{ readonly data: unknown }>>;
  expect((await client.GET("/pets")).data).toBe("list");
  expect((await client.POST("/pets")).data).toBe("upload");
  expect((await client.GET("/old")).data).toBe("old");
});
