import { Readable } from "node:stream";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer, createRouter, HttpError } from "../../../src/tenon/runtime/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { close, listen, sendRaw } from "../../support/http.js";

const text = { schema: { type: "string" } };
const headers = { "Transfer-Encoding": text, "Content-Length": text };
const contract = buildContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/a": {
      get: {
        operationId: "getA",
        responses: {
          "200": { description: "Bytes.", headers, content: { "application/octet-stream": {} } },
          "202": { description: "JSON.", headers, content: { "application/json": {} } },
          "204": { description: "Nothing.", headers },
        },
      },
    },
  },
});

type Reply = Readonly<Record<200 | 202 | 204, (...parameters: unknown[]) => unknown>>;

const failures: unknown[] = [];
let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  failures.length = 0;
  if (server) await close(server);
});

/** Returns the bytes of a response. */
async function get(handler: (reply: Reply) => unknown): Promise<string> {
  const errors = {
    errorBody: ({ code }: { readonly code: string }) => ({ code }),
    onFailure: ({ error }: { readonly error: unknown }) => void failures.push(error),
  };
  const app = express();
  app.use(
    createRouter(contract, { handlers: { getA: (_: unknown, reply: Reply) => handler(reply) }, ...errors }),
  );
  server = createHttpServer(app, errors);
  const port = await listen(server);
  return sendRaw(port, Buffer.from("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
}

const CODED = { headers: { "transfer-encoding": "chunked" } };

test.each<[string, (reply: Reply) => unknown]>([
  ["bytes", (reply) => reply[200](Buffer.from("abc"), CODED)],
  ["a stream", (reply) => reply[200](Readable.from([Buffer.from("abc")]), CODED)],
  ["JSON", (reply) => reply[202]({}, CODED)],
  ["nothing", (reply) => reply[204](CODED)],
])("a reply with Transfer-Encoding and %s becomes a 500", async (_, handler) => {
  const response = await get(handler);
  expect(response).toMatch(/^HTTP\/1\.1 500 /);
  expect(response.match(/^(?:Transfer-Encoding|Content-Length):/gim)).toEqual(["Content-Length:"]);
  expect(failures).toEqual([
    new TypeError("A reply cannot have the header Transfer-Encoding: the server decides it"),
  ]);
});

test("an error with Transfer-Encoding becomes a 500 without it", async () => {
  const response = await get(() => {
    throw new HttpError("forbidden", CODED);
  });
  expect(response).toMatch(/^HTTP\/1\.1 500 /);
  expect(response).not.toMatch(/^Transfer-Encoding:/im);
});

const toLength = (length: number) => ({ headers: { "Content-Length": String(length) } });

test("the length of a whole body is its own, and 204 has none", async () => {
  expect(await get((reply) => reply[200](Buffer.from("abc"), toLength(1)))).toMatch(
    /\r\nContent-Length: 3\r\n[^]*abc$/,
  );
  if (server) await close(server);
  expect(await get((reply) => reply[204](toLength(1)))).not.toMatch(/Content-Length/i);
});

test("a stream that is shorter than its Content-Length is a failure", async () => {
  await get((reply) => reply[200](Readable.from([Buffer.from("abc")]), toLength(4)));
  expect(failures).toEqual([new Error("The stream has 3 bytes, and its Content-Length is 4")]);
});

test.each([[["abc"]], [["a", "bc"]]])(
  "a stream longer than its Content-Length, %j, closes the connection",
  async (parts) => {
    const stream = Readable.from(parts.map((part) => Buffer.from(part)));
    expect(await get((reply) => reply[200](stream, toLength(2)))).not.toMatch(/c$/);
    expect(failures).toEqual([new Error("The stream is longer than its Content-Length of 2 bytes")]);
  },
);

test("a stream can say its length", async () => {
  const response = await get((reply) => reply[200](Readable.from([Buffer.from("abc")]), toLength(3)));
  expect(response).toMatch(/\r\nContent-Length: 3\r\n[^]*\r\n\r\nabc$/);
});
