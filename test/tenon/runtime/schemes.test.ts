import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { createServer, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { GENERATED_VERSION } from "../../../src/tenon/core/version/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { describeOperation } from "../../../src/tenon/runtime/contract/operation.js";
import { createContractRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";

const read = (name: string): Buffer => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url));

const operations = ["tls", "digest", "named", "query", "cookie", "optional"].map((scheme) => ({
  id: scheme,
  path: `/${scheme}`,
  security: scheme === "optional" ? [{}, { key: [] }] : [{ [scheme]: [] }],
}));

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Schemes", version: "1" },
  paths: Object.fromEntries(
    operations.map(({ id, path, security }) => [
      path,
      {
        get: {
          operationId: id,
          security,
          responses: { "200": { description: "ok", content: { "application/json": { schema: {} } } } },
        },
      },
    ]),
  ),
  components: {
    securitySchemes: {
      tls: { type: "mutualTLS" },
      digest: { type: "http", scheme: "Digest" },
      named: { $ref: "#/components/securitySchemes/key" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      query: { type: "apiKey", in: "query", name: 'a"key' },
      cookie: { type: "apiKey", in: "cookie", name: "session" },
    },
  },
};

let server: Server;
let port: number;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-"));
  const contract = join(folder, "contract.json");
  writeFileSync(contract, JSON.stringify(DOCUMENT));
  const echo = (credential: string) => credential;
  const handlers = Object.fromEntries(
    operations.map(({ id }) => [
      id,
      (_: unknown, reply: Record<number, (body: unknown) => unknown>, { auth }: { auth: unknown }) =>
        reply[200]?.(auth ?? {}),
    ]),
  );
  const api = createContractRouter(
    {
      tenon: GENERATED_VERSION,
      operations: buildContract(DOCUMENT).operations.map(describeOperation),
      contractUrl: pathToFileURL(contract),
    },
    {
      handlers,
      authenticators: { tls: echo, digest: echo, named: echo, key: echo, query: echo, cookie: echo },
      context: () => ({}),
      errorBody: (problem) => problem,
    },
  );
  rmSync(folder, { recursive: true });
  const options = {
    key: read("server.pem"),
    cert: read("server.pem"),
    ca: read("ca.pem"),
    requestCert: true,
    rejectUnauthorized: false,
  };
  server = createServer(options, express().use(api) as RequestListener);
  port = await listen(server);
});
afterAll(() => close(server));

function get(path: string, options: { readonly client?: string; readonly headers?: Record<string, string> }) {
  const pem = options.client === undefined ? undefined : read(options.client);
  return new Promise<{ status: number; challenge: string | undefined; json: Record<string, unknown> }>(
    (resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          servername: "localhost",
          port,
          path,
          ca: read("ca.pem"),
          ...(pem && { key: pem, cert: pem }),
          ...(options.headers && { headers: options.headers }),
          agent: false,
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            resolve({
              status: response.statusCode ?? 0,
              challenge: response.headers["www-authenticate"],
              json: JSON.parse(text) as Record<string, unknown>,
            });
          });
        },
      );
      sent.on("error", reject).end();
    },
  );
}

describe("mutualTLS", () => {
  test("yields the certificate of a client that the server trusts", async () => {
    const { status, json } = await get("/tls", { client: "client.pem" });
    expect(status).toBe(200);
    expect(read("client.pem").toString()).toContain(String(json["tls"]).trim());
  });

  test.each([
    ["no certificate", {}, "Missing credentials; expected a client certificate"],
    [
      "a stranger's certificate",
      { client: "stranger.pem" },
      "The credential is malformed, unknown or no longer valid",
    ],
  ])("refuses %s", async (_, options, message) => {
    expect(await get("/tls", options)).toMatchObject({
      status: 401,
      challenge: 'ClientCertificate realm="Schemes"',
      json: { message },
    });
  });
});

describe("another scheme of HTTP authentication", () => {
  const digest = 'username="a", response="b"';

  test("yields what follows its name", async () => {
    const headers = { authorization: `digest ${digest}` };
    expect(await get("/digest", { headers })).toMatchObject({ status: 200, json: { digest } });
  });

  test.each(["Digest", "Digest ", "Bearer x", "DigestX y"])("refuses %j", async (authorization) => {
    expect(await get("/digest", { headers: { authorization } })).toMatchObject({
      status: 401,
      challenge: 'Digest realm="Schemes"',
    });
  });
});

test.each([
  ["/named", 'in="header", name="X-Key"'],
  ["/query", 'in="query", name="a\\"key"'],
  ["/cookie", 'in="cookie", name="session"'],
])("the 401 of %s names the place of the API key", async (path, place) => {
  expect(await get(path, {})).toMatchObject({ status: 401, challenge: `ApiKey realm="Schemes", ${place}` });
});

test("a scheme by reference is the one that it refers to", async () => {
  expect(await get("/named", { headers: { "x-key": "k" } })).toMatchObject({
    status: 200,
    json: { named: "k" },
  });
});

test("a request with credentials is not anonymous, at whatever position the contract lists {}", async () => {
  expect(await get("/optional", {})).toMatchObject({ status: 200, json: {} });
  const headers = { "x-key": "k" };
  expect(await get("/optional", { headers })).toMatchObject({ status: 200, json: { key: "k" } });
});
