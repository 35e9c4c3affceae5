/* eslint-disable no-prototype-builtins, @typescript-eslint/no-base-to-string -- the members are those of a contract */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createHandlers } from "@tenon/cli/msw";
import express from "express";
import { setupServer } from "msw/node";
import { queryKey, queryOptions } from "tenon/query";
import { createWebhooks, createWebhookSender } from "tenon/webhooks";
import * as inherited from "../../fixtures/inherited/generated/client.js";
import * as validators from "../../fixtures/inherited/generated/schemas.js";
import {
  createApi,
  type Handlers,
  type Principals,
  type ToString,
  webhooks,
} from "../../fixtures/inherited/generated/server.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";
import { atEnd, createStore, SECRET, serve } from "../webhooks/exchange.js";

const PATH = { path: { constructor: "a", valueOf: [1, 2] } };
const VALUE: ToString = { hasOwnProperty: true, isPrototypeOf: [{ toString: 1 }] };

/** What handlers received, and the credentials of each scheme. */
let received: unknown[] = [];
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  const keep = (name: string) => (credential: unknown) => {
    received.push([name, credential]);
    return name;
  };
  const api = createApi({
    authenticators: {
      toString: keep("toString"),
      constructor: keep("constructor"),
      valueOf: keep("valueOf"),
      hasOwnProperty: keep("hasOwnProperty"),
      ["__proto__"]: keep("__proto__"),
    },
    context: () => ({}),
    errorBody: ({ message }) => ({ [`toString ${message}`]: 1 }),
    handlers: {
      toString: ({ path, query, headers, cookies }, reply) => {
        received.push({ path, query, headers, cookies });
        return reply[200](VALUE, { headers: { constructor: 7 } });
      },
      constructor: ({ body }, reply) => {
        received.push(body);
        return reply[204]();
      },
      valueOf: ({ body }, reply) => {
        received.push(body);
        return reply[200]([]);
      },
      hasOwnProperty: (_, reply) => reply[200]([]),
      ["__proto__"]: (_, reply) => reply[204](),
      isPrototypeOf: (_, reply) => reply[204](),
    },
  });
  server = createServer(express().use(api) as RequestListener);
  baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
});
beforeEach(() => {
  received = [];
});
afterAll(() => close(server));

/** The key is that of the first scheme, `toString`. */
const createBare = () => inherited.createBareClient({ baseUrl, apiKey: "secret" });

test("a client sends parameters, fields and credentials with inherited names, and only those that it has", async () => {
  const bare = createBare();
  expect(await inherited.toString(bare, PATH).orThrow()).toEqual(VALUE);
  expect(received).toEqual([
    ["toString", expect.anything()],
    { ...PATH, query: { ["__proto__"]: 7 }, headers: { tostring: "secret" }, cookies: {} },
  ]);

  const all = { toString: "x", hasOwnProperty: ["a", "b"], ["__proto__"]: 8 };
  await inherited.toString(bare, { ...PATH, query: all }).orThrow();
  expect(received.at(-1)).toEqual({ ...PATH, query: all, headers: { tostring: "secret" }, cookies: {} });

  const form = { ["__proto__"]: ["p", "q"], toString: ["a", "b"] };
  await inherited.constructor(bare, { body: form }).orThrow();
  expect(received.at(-1)).toEqual(form);
  await inherited.valueOf(bare, { body: {} }).orThrow();
  expect(received.at(-1)).toEqual({ constructor: "toString", toString: { valueOf: [1] } });
});

test("a client sends all credentials of an alternative with inherited names", async () => {
  const others = { constructor: "c", valueOf: "v", hasOwnProperty: "h", ["__proto__"]: "p" };
  const bare = inherited.createBareClient({ baseUrl, credentials: { toString: "t", ...others } });
  expect(await inherited.__proto___(bare)).toMatchObject({ status: 204 });
  expect(received.map((entry) => (entry as [string])[0])).toEqual(Object.keys(others));
  // An inherited function is no credential.
  expect(await inherited.__proto___(inherited.createBareClient({ baseUrl }))).toMatchObject({ status: 401 });
});

test("a client has the operations as members", async () => {
  const client = inherited.createClient({ baseUrl, apiKey: "secret" });
  expect(await client.hasOwnProperty().orThrow()).toEqual([]);
  expect(await client.toString(PATH)).toMatchObject({ status: 200, data: VALUE });
  expect(await client.GET("/has-own-property", {})).toMatchObject({ status: 200 });
  for await (const item of client.hasOwnProperty.items({ query: {} })) throw new Error(JSON.stringify(item));
});

test("queries have the keys and data of operations with inherited names", async () => {
  expect(queryKey(inherited.hasOwnProperty, { query: { valueOf: "x" } })).toEqual([
    "hasOwnProperty",
    { query: { valueOf: "x" } },
  ]);
  const { queryFn } = queryOptions(createBare(), inherited.toString, PATH);
  expect(await queryFn({})).toEqual(VALUE);
});

test("validators see only own members", () => {
  const validate = (value: unknown) => validators.ToString["~standard"].validate(value);
  expect(validate(VALUE)).toEqual({ value: VALUE });
  expect(validate({ constructor: {} }).issues).toEqual([
    { message: "is required", path: ["hasOwnProperty"] },
  ]);
  const { issues } = validators.ConstructorRequest["~standard"].validate({ constructor: 1, valueOf: 1 });
  expect(issues?.map(({ path }) => path.join())).toEqual(["constructor", "valueOf"]);
});

test("handlers of MSW respond to operations with inherited names", async () => {
  const file = new URL("../../fixtures/inherited/generated/contract.json", import.meta.url);
  const handlers = createHandlers<Handlers<object, Principals>>(
    JSON.parse(readFileSync(file, "utf8")) as unknown,
  );
  const mocked = setupServer(
    handlers.toString(({ reply }) => reply[400]({ toString: 2 })),
    ...handlers,
  );
  mocked.listen({ onUnhandledRequest: "error" });
  try {
    const bare = inherited.createBareClient({ baseUrl: "https://api.example/v1", apiKey: "x" });
    expect(await inherited.toString(bare, PATH)).toMatchObject({ status: 400, error: { toString: 2 } });
    expect(await inherited.isPrototypeOf(bare)).toMatchObject({ status: 204 });
    expect(await inherited.hasOwnProperty(bare)).toMatchObject({ status: 200 });
  } finally {
    mocked.close();
  }
});

test("webhooks with inherited names are sent to their handlers", async () => {
  const unknown: (string | undefined)[] = [];
  const hooks = createWebhooks(webhooks, {
    secret: SECRET,
    errorBody: ({ message }) => ({ [message]: 1 }),
    handlers: {
      toString: ({ name, body }) => {
        received.push({ name, body });
      },
      constructor: ({ name, body }, reply) => {
        received.push({ name, body });
        return reply[200]({});
      },
    },
    unknown: ({ name }) => {
      unknown.push(name);
    },
  });
  const outcomes: string[] = [];
  const port = await serve(hooks);
  const sender = createWebhookSender(webhooks, {
    secret: SECRET,
    store: createStore(),
    allowHosts: ["127.0.0.1"],
    pollInterval: 20,
    onAttempt: ({ outcome }) => outcomes.push(outcome),
  });
  sender.start();
  atEnd(() => sender.stop());
  const { send } = sender;
  const toUrl = (name: string) => `http://127.0.0.1:${port}/hooks/${name}`;
  await send.toString({ url: toUrl("toString"), body: VALUE });
  await until(() => outcomes.length === 1);
  await send.constructor({ url: toUrl("constructor"), body: { constructor: "x", toString: {} } });
  await until(() => outcomes.length === 2);
  await send.__proto__({ url: toUrl("__proto__"), body: { constructor: "x" } });
  await until(() => outcomes.length === 3);
  expect(received).toEqual([
    { name: "toString", body: VALUE },
    { name: "constructor", body: { constructor: "x", toString: {} } },
  ]);
  expect(unknown).toEqual(["__proto__"]);
});
