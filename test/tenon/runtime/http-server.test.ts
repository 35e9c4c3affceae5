// @slow: waits for timeouts of connections.
import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer } from "../../../src/tenon/runtime/index.js";
import { close, listen, send, sendRaw } from "../../support/http.js";
import { until } from "../../support/until.js";
import { startThings, type Things } from "./service.js";

let things: Things;
/** With so little time for a request that a slow machine may need more. */
let impatient: Things;
beforeAll(async () => {
  things = await startThings();
  impatient = await startThings({ limits: { headersTimeout: 500, requestTimeout: 1_000 } });
});
afterAll(async () => {
  await things.stop();
  await impatient.stop();
});

const CLOSE = "Connection: close\r\n\r\n";

/** Returns status and error body of a raw response; throws unless there is exactly one well-formed response. */
function parse(answer: string): { status: number; headers: string; error: unknown } {
  const [head = "", body = "", ...more] = answer.split("\r\n\r\n");
  expect(more).toEqual([]);
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(head).toContain("Content-Type: application/json");
  expect(head).toContain("Connection: close");
  const { error } = JSON.parse(body) as { error: unknown };
  return { status: Number(head.split(" ")[1]), headers: head, error };
}

describe("requests that Node refuses without a body get the error body", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n", "malformed_request", 400],
    ["an unknown method", `FOO /v1/things HTTP/1.1\r\nHost: x\r\n${CLOSE}`, "malformed_request", 400],
    ["a fragment", `GET /v1/things#x HTTP/1.1\r\nHost: x\r\n${CLOSE}`, "malformed_request", 400],
    ["no Host", `GET /v1/things HTTP/1.1\r\n${CLOSE}`, "malformed_request", 400],
    [
      "two media types",
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\ncontent-type: text/plain\r\nContent-Length: 2\r\n${CLOSE}{}`,
      "malformed_request",
      400,
    ],
    ["a bad header", `GET /v1/things HTTP/1.1\r\nHost: x\r\nA b: c\r\n${CLOSE}`, "malformed_request", 400],
    [
      "two lengths",
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n${CLOSE}`,
      "malformed_request",
      400,
    ],
    [
      "a length and chunks",
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${CLOSE}`,
      "malformed_request",
      400,
    ],
    [
      "huge headers",
      `GET /v1/things HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n${CLOSE}`,
      "headers_too_large",
      431,
    ],
    [
      "a long target",
      `GET /v1/things?q=${"a".repeat(9_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
      "uri_too_long",
      414,
    ],
    [
      "an unknown expectation",
      `GET /v1/things HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${CLOSE}`,
      "expectation_failed",
      417,
    ],
    [
      "two expectations",
      `GET /v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-continue, tea\r\n${CLOSE}`,
      "expectation_failed",
      417,
    ],
    [
      "two Expect headers",
      `GET /v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nExpect: 100-continue\r\n${CLOSE}`,
      "expectation_failed",
      417,
    ],
    ...["0.9", "1.9", "2.0", "3.0"].map(
      (version) =>
        [
          `HTTP/${version}`,
          `GET /v1/things HTTP/${version}\r\nHost: x\r\n${CLOSE}`,
          "http_version_not_supported",
          505,
        ] as const,
    ),
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "http_version_not_supported", 505],
    ["a version that is no number", `GET /v1/things HTTP/x\r\nHost: x\r\n${CLOSE}`, "malformed_request", 400],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", "method_not_allowed", 405],
    ["headers that never end", "GET /v1/things HTTP/1.1\r\nHost: x\r\n", "request_timeout", 408],
    [
      "a body that never ends",
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{`,
      "request_timeout",
      408,
    ],
  ])("%s", async (_, bytes, code, status) => {
    const { port } = status === 408 ? impatient : things;
    const answer = parse(await sendRaw(port, bytes));
    expect(answer).toMatchObject({ status, error: { code, status } });
    expect(answer.headers.includes("Allow: ")).toBe(status === 405);
  });

  test("a connection that closes in the middle of a request affects no other", async () => {
    await new Promise<void>((resolve) => {
      const pending = sendRaw(
        impatient.port,
        "POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
      );
      void pending.then(() => {
        resolve();
      });
    });
    await until(async () => {
      const headers = { authorization: "Bearer good" };
      return (await send(impatient.port, "/v1/things", { headers })).status === 200;
    });
  });

  test("no failure has the bytes of a request, which may have a credential", async () => {
    await sendRaw(things.port, `GET /v1/things HTTP/1.1\r\nAuthorization: Bearer good\r\nX: a\0\r\n${CLOSE}`);
    const errors = things.failures.map(({ error }) => error);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).not.toHaveProperty("rawPacket");
  });

  test("each is logged with the phase http", () => {
    expect(
      [...things.failures, ...impatient.failures].filter(({ phase }) => phase === "http").length,
    ).toBeGreaterThan(8);
  });

  test.each(["a b", "user@x", "x:y", "x/y", "[::1", "[::g]", "x:1:2", "x?y", "é", "%", "http://x"])(
    "an invalid Host: %s",
    async (host) => {
      const bytes = `GET /v1/things HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer good\r\n${CLOSE}`;
      const answer = parse(await sendRaw(things.port, bytes));
      expect(answer).toMatchObject({ status: 400, error: { code: "malformed_request", status: 400 } });
    },
  );

  test.each([
    "",
    "x",
    "X.example.:8080",
    "127.0.0.1:80",
    "[::1]:80",
    "[::ffff:127.0.0.1]",
    "a_b",
    "x:",
    "a%20b",
  ])("a valid Host: %s", async (host) => {
    const bytes = `GET /v1/things HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer good\r\n${CLOSE}`;
    expect(await sendRaw(things.port, bytes)).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each(["Content-Length: 99999999999", "Transfer-Encoding: chunked"])(
    "a body that is too large (%s): the connection is closed while the caller goes on sending",
    async (framing) => {
      const socket = connect(things.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(
        `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
      const sending = setInterval(() => socket.write(chunk), 1);
      const [bytes] = (await once(socket, "data")) as [Buffer];
      expect(bytes.toString("latin1")).toMatch(/^HTTP\/1.1 413 [^]*\r\nConnection: close\r\n/);
      await once(socket, "close");
      clearInterval(sending);
    },
  );

  test("a caller that waits for 100 Continue and has no valid key gets 401 alone, and sends no body", async () => {
    const answer = await sendRaw(
      things.port,
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer bad\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 [^]*\r\nConnection: close\r\n/);
  });

  test("100-continue is honoured", async () => {
    const answer = await sendRaw(
      things.port,
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 21\r\nConnection: close\r\n\r\n{"name":"n","size":1}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  test("an unknown expectation behind other requests is refused after their responses", async () => {
    const good = "GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n";
    const answer = await sendRaw(things.port, `${good}\r\n${good}\r\n${good}Expect: tea\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 417"]);
  });

  test.each([
    ["GET", ""],
    ["POST", '{"name":"n","size":1}'],
  ])("an ignored Upgrade closes the connection after the response to %s", async (method, body) => {
    const head = `${method} /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n`;
    const upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nExpect: 100-continue\r\n";
    const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    // Node does not parse what follows in the same chunk.
    const answer = await sendRaw(things.port, `${head}${upgrade}${content}${head}\r\n`);
    expect(answer).toMatch(/HTTP\/1.1 20[01] [^]*\r\nConnection: close\r\n/);
    expect(answer.match(/HTTP\/1.1 20[01]/g)).toHaveLength(1);
  });

  test("the absolute form of a target is understood", async () => {
    const answer = await sendRaw(
      things.port,
      `GET http://x/v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n${CLOSE}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("headers of every response", () => {
  const headers = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
  let server: Server;

  beforeAll(() => {
    const app = express();
    app.get("/", (_, response) => response.set("Cache-Control", "max-age=60").json({}));
    app.get("/raw", (_, response) => response.end("raw"));
    server = createHttpServer(app, { errorBody: (problem) => problem, headers });
  });
  afterAll(() => close(server));

  test("are in responses of the app, to unknown paths and to requests that never reach it", async () => {
    const port = await listen(server);
    const requests = [
      `GET /raw HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
      `GET /unknown HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
      `GET / HTTP/1.1\r\n${CLOSE}`,
      `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
      `GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${CLOSE}`,
      "hello\r\n\r\n",
      "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    ];
    for (const request of requests) {
      const answer = await sendRaw(port, request);
      expect(answer.match(/^X-Content-Type-Options: nosniff\r$/gm)).toHaveLength(1);
      expect(answer.match(/^Cache-Control: no-store\r$/gm)).toHaveLength(1);
    }
    // The app can replace a header.
    expect((await send(port, "/")).headers).toMatchObject({ "cache-control": "max-age=60" });
  });

  test("are refused at start when HTTP does not allow them", () => {
    const create = (name: string, value: string) => () =>
      createHttpServer(express(), { errorBody: (problem) => problem, headers: { [name]: value } });
    expect(create("X One", "1")).toThrow("Header name must be a valid HTTP token");
    expect(create("X-One", "a\r\nX-Two: b")).toThrow("Invalid character in header content");
  });
});
