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

const handlers: generatedServer.Handlers<object, { device: unknown }> = {
  addShelf: ({ body }, reply) => reply[200].json(body),
  getBook: ({ path }, reply) => reply[200]({ isbn: path.isbn, title: "Joints" }),
  searchBooks: ({ body: { value } }, reply) =>
    reply[200](BOOKS.filter(({ title }) => title.includes(value.title)).slice(0, value.limit)),
  reportBooks: ({ accepts }, reply) =>
    accepts[0] === "application/x-ndjson" ? reply[200].xNdjson(BOOKS) : reply[200].jsonl(BOOKS),
  listLoans: ({ querystring: { filter }, cookies }, reply) => reply[200]({ ...filter, ...cookies }),
  selectLoans: ({ querystring: { selector } }, reply) => reply[200]({ ...selector }),
  getLoan: ({ path, querystring }, reply) => reply[200]({ ...path, ...querystring }),
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
    authenticators: { device: () => undefined },
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

test("a form that is the whole query is typed, validated and has its defaults", async () => {
  const client = await start();
  const { data } = await client.GET("/loans", {
    params: {
      querystring: {
        filter: { since: "2026-01-01", tags: ["a,b", "c&d"], within: { lat: 1.5, long: 2 } },
      },
      cookie: { session: '"a b%20c"', seen: [1, 2] },
    },
  });
  expect(data).toEqual({
    since: "2026-01-01",
    limit: 20,
    tags: ["a,b", "c&d"],
    within: { lat: 1.5, long: 2 },
    session: '"a b%20c"',
    seen: [1, 2],
  });
  // @ts-expect-error `since` is required.
  const { error } = await client.GET("/loans", { params: { querystring: { filter: { limit: 0 } } } });
  expect(error?.message).toBe(
    'Query parameter "since" is required; Query parameter "limit" must be at least 1',
  );
  const unknown = await send(port, "/v1/loans?since=2026-01-01&until=x&limit=a");
  expect(unknown.json).toMatchObject({
    message: 'Query parameter "limit" must be an integer in plain decimal digits',
  });
  const missing = await send(port, "/v1/loans");
  expect(missing.json).toMatchObject({ code: "invalid_parameter" });
});

test("JSON that is the whole query is typed and validated", async () => {
  const client = await start();
  const { data } = await client.GET("/loans/selected", {
    params: { querystring: { selector: { numbers: [1, 2], flag: null } } },
  });
  expect(data).toEqual({ numbers: [1, 2], flag: null });
  expect((await client.GET("/loans/selected")).data).toEqual({});
  const { json } = await send(port, "/v1/loans/selected?%7B%22numbers%22%3A%5B1.5%5D%7D");
  expect(json).toMatchObject({ message: 'Field "numbers/0" of the query must be an integer' });
  const nothing = await send(port, "/v1/loans/selected?null");
  expect(nothing.json).toMatchObject({ message: "The query must be an object" });
  const broken = await send(port, "/v1/loans/selected?%7B");
  expect(broken).toMatchObject({ status: 400, json: { message: "The query is not JSON (character 2)" } });
});

test("text that is the whole query is unescaped, and reserved characters need no escapes", async () => {
  const client = await start();
  const { data, response } = await client.GET("/loans/{number}", {
    params: { path: { number: "a:b@c/d,e%20" }, querystring: { query: "a=[1]&b+c" } },
  });
  expect(data).toEqual({ number: "a:b@c/d,e%20", query: "a=[1]&b+c" });
  expect(new URL(response.url).pathname).toBe("/v1/loans/a:b@c%2Fd%2Ce%2520");
});

test("a cookie that would need escapes is not sent", async () => {
  const client = await start();
  const call = client.GET("/loans", {
    params: { querystring: { filter: { since: "2026-01-01" } }, cookie: { session: "a; seen=3" } },
  });
  await expect(call).rejects.toThrow(
    'Cannot send the cookie parameter "session": style cookie does not escape',
  );
});

test("a default mapping validates values without the discriminator's property, or with another value", async () => {
  const client = await start();
  const add = async (body: Parameters<typeof client.POST<"/shelves">>[1]["body"]) => {
    const { data, error } = await client.POST("/shelves", { body });
    return data ?? error.message;
  };
  expect(await add({ kind: "wall", height: 2 })).toEqual({ kind: "wall", height: 2 });
  expect(await add({ doors: 2 })).toEqual({ doors: 2 });
  expect(await add({ kind: "open", doors: 0 })).toEqual({ kind: "open", doors: 0 });
  // @ts-expect-error A wall has a height.
  expect(await add({ kind: "wall" })).toBe('Field "height" is required');
  // @ts-expect-error A case has doors.
  expect(await add({ kind: "open" })).toBe('Field "doors" is required');
  // @ts-expect-error A case has doors.
  expect(await add({})).toBe('Field "doors" is required');
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
