import { createServer } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { assertParsable } from "../../../src/tenon/runtime/routing/router.js";
import { createTester } from "../../../src/tenon/testing/index.js";
import * as generatedClient from "../../fixtures/openapi-3-2/generated/client.js";
import * as generatedServer from "../../fixtures/openapi-3-2/generated/server.js";
import type { operations } from "../../fixtures/openapi-3-2/generated/types.js";
import { close, listen, send } from "../../support/http.js";

const BOOKS = [
  { isbn: "123", title: "Joints" },
  { isbn: "456", title: "Tenons" },
];

const handlers: generatedServer.Handlers<object, object> = {
  getBook: ({ path }, reply) => reply[200]({ isbn: path.isbn, title: "Joints" }),
  searchBooks: ({ body: { value } }, reply) =>
    reply[200](BOOKS.filter(({ title }) => title.includes(value.title)).slice(0, value.limit)),
  reportBooks: ({ accepts }, reply) =>
    accepts[0] === "application/x-ndjson" ? reply[200].xNdjson(BOOKS) : reply[200].jsonl(BOOKS),
  copyBook: ({ path, headers, body }, reply) =>
    reply[201](
      { isbn: path.isbn, title: body?.title ?? "Copy" },
      { headers: { Location: headers.destination } },
    ),
};

const app = express();
app.use(
  generatedServer.createApi({
    handlers,
    errorBody: ({ code, message }) => ({ code, message }),
    onFailure: () => undefined,
  }),
);

const server = createServer(app);
let port = 0;

async function start() {
  port = await listen(server);
  return generatedClient.createClient({ baseUrl: `http://127.0.0.1:${port}/v1` });
}

afterEach(async () => {
  if (server.listening) await close(server);
});

test("QUERY has a typed and validated body, with its defaults", async () => {
  const client = await start();
  const found = await client.QUERY("/books", {
    body: { title: "n" },
    mediaType: "application/vnd.search+json",
  });
  expect(found).toMatchObject({ status: 200, data: BOOKS });
  const one = await client.QUERY("/books", { body: { title: "n", limit: 1 } });
  expect(one.data).toHaveLength(1);
  const refused = await client.QUERY("/books", { body: { title: "n", limit: 0 } });
  expect(refused).toMatchObject({ status: 400, error: { code: "invalid_body" } });
  // @ts-expect-error The contract has no QUERY of this path.
  await expect(client.QUERY("/books/{isbn}", {})).rejects.toThrow("The contract has no QUERY /books/{isbn}");
  // @ts-expect-error A client has the methods that its contract has.
  expect(client.SEARCH).toBeDefined();
});

test("a body that QUERY does not declare is refused with the media types to send", async () => {
  await start();
  const { status, headers } = await send(port, "/v1/books", {
    method: "QUERY",
    headers: { "Content-Type": "application/sql" },
    body: "select",
  });
  expect([status, headers["accept-query"]]).toEqual([415, "application/json, application/vnd.search+json"]);
});

test("additional operations are typed, and served by their method", async () => {
  const client = await start();
  const copied = await client.COPY("/books/{isbn}", {
    params: { path: { isbn: "123" }, header: { Destination: "/books/456" } },
    body: { title: "Dovetails" },
  });
  expect(copied).toMatchObject({ status: 201, data: { isbn: "123", title: "Dovetails" } });
  expect(copied.response.headers.get("Location")).toBe("/books/456");
  const report = await client.REPORT("/books");
  if (report.status !== 200) throw new Error(report.error.message);
  const titles: string[] = [];
  for await (const { title } of report.data) titles.push(title);
  expect(titles).toEqual(["Joints", "Tenons"]);
});

test("405 and OPTIONS list every method of a path", async () => {
  await start();
  for (const method of ["DELETE", "OPTIONS", "copy"]) {
    const { headers, status } = await send(port, "/v1/books", { method: method.toUpperCase() });
    expect([status, headers.allow]).toEqual([method === "OPTIONS" ? 204 : 405, "OPTIONS, QUERY, REPORT"]);
  }
});

test("a tester calls operations with any method by name", async () => {
  const tester = createTester<operations>(app, { ...generatedServer, ...generatedClient });
  const { status, data } = await tester.searchBooks({ body: { title: "Joints" } });
  expect([status, data]).toEqual([200, [BOOKS[0]]]);
});

test("a version of Node.js that cannot parse a method does not start", () => {
  const {
    operations: [first],
  } = buildContract({
    openapi: "3.2.0",
    info: { title: "t", version: "1" },
    paths: { "/a": { query: { responses: {} } } },
  });
  if (first === undefined) throw new Error("The contract has no operation");
  expect(() => {
    assertParsable([first], ["GET", "POST"]);
  }).toThrow(`Node.js ${process.version} cannot parse the method of QUERY /a; use Node.js 20.20 or later`);
  assertParsable([first]);
});
