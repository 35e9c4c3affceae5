/** Traps that break generators, behind a real server: each contract of `test/fixtures` whose traps are not tested elsewhere. */
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import type { Reply } from "tenon/runtime";
import { basePath, createApi as createHostile } from "../../fixtures/hostile/generated/server.js";
import { createApi as createShapes } from "../../fixtures/shapes/generated/server.js";
import { close, listen, send, type Send } from "../../support/http.js";

const options = {
  context: () => ({}),
  errorBody: ({ message }: { message: string }) => ({ title: message }),
  onFailure: () => undefined,
};

interface ShapesPrincipals {
  readonly bearer: { readonly user: string };
  readonly tenant: { readonly tenant: string };
  readonly oauth: { readonly client: string; readonly scopes: readonly string[] };
}

const shapes = createShapes<object, ShapesPrincipals>({
  ...options,
  authenticators: {
    bearer: (token) => (token === "user" ? { user: token } : undefined),
    tenant: (key) => ({ tenant: key }),
    oauth: (token, { scopes }) => (token === "client" ? { client: token, scopes } : undefined),
  },
  handlers: {
    getItemsItemId: ({ path, query, headers, cookies }, reply) => {
      switch (path["item-id"]) {
        case 404:
          return reply[404]({ title: "No such item" });
        case 409:
          return reply["4XX"](409, { title: "Conflict" });
        case 503:
          return reply.default(503);
        case 1:
          return reply[200]({ id: 1, name: JSON.stringify({ query, headers, cookies }) });
        case 2:
          // A writeOnly property that must not be sent.
          return reply[200]({ id: 2, name: null, ...{ secret: "s" } });
        default:
          return reply[200]({ id: 3, name: null, parent: { id: 4, name: "n" } });
      }
    },
    "put-item": ({ body }, reply, { auth }) => {
      if (body === undefined) return reply[204]();
      const who = auth === undefined ? "anyone" : "oauth" in auth ? auth.oauth.client : auth.bearer.user;
      return reply[201](
        { id: 1, name: who, size: body.size },
        { headers: { Location: `/items/${body.secret}` } },
      );
    },
    getThings: ({ query }, reply) =>
      query.page === 7
        ? reply["2XX"](206, [], { headers: { Etag: '"7"' } })
        : reply["2XX"](200, [{ kind: "cat", indoor: true }, { kind: "dog" }]),
  },
});

const ID = "x\"](): void; } throw new Error('id'); /*";
const SCHEME = 'it\'s "quoted" */ `${1}`';

interface HostilePrincipals {
  readonly [SCHEME]: string;
  readonly ["__proto__"]: string;
}

const hostile = createHostile<object, HostilePrincipals>({
  ...options,
  authenticators: { [SCHEME]: (token) => token, ["__proto__"]: (key) => key },
  handlers: {
    [ID]: ({ path, query, body }, reply) =>
      reply[200]({
        ["__proto__"]: query.__proto__ ?? "",
        constructor: path.constructor.length,
        "to\nString": !body,
      }),
    delete: (_, reply, { auth }) => {
      expect(auth).toEqual(Object.assign(Object.create(null) as object, { [SCHEME]: "token" }));
      return reply[204]();
    },
    ["__proto__"]: (_, reply, { auth }): Reply<"__proto__"> => {
      expect(Object.entries(auth)).toEqual([["__proto__", "key"]]);
      return reply[204]();
    },
    "1st-operation": (_, reply) => reply[204](),
  },
});

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer(express().use("/hostile", hostile).use(shapes) as RequestListener);
  port = await listen(server);
});
afterAll(() => close(server));

const TRACE = { "X-Trace-Id": "t" };
const JSON_BODY = { ...TRACE, "Content-Type": "application/json" };

describe("parameters", () => {
  test("of the path item are the operation's, unless it declares its own; references are followed", async () => {
    const headers = { ...TRACE, Cookie: "session=s", Authorization: "whatever" };
    const filter = encodeURIComponent('{"left":{"values":["a",null]}}');
    const { json } = await send(port, `/items/1?tags=a&tags=b&filter=${filter}`, { headers });
    expect(JSON.parse((json as { name: string }).name)).toEqual({
      query: { verbose: false, tags: ["a", "b"], filter: { left: { values: ["a", null] } } },
      headers: { "x-trace-id": "t" },
      cookies: { session: "s" },
    });
  });

  test.each([
    ["an integer in the path", "/items/x", TRACE, 'Path parameter "item-id" must be an integer'],
    ["beyond 2^53", "/items/9007199254740993", TRACE, 'Path parameter "item-id" must be from'],
    ["a header by reference", "/items/1", {}, 'Header "X-Trace-Id" is required'],
    ["the operation's own type", "/items/1?verbose=text", TRACE, 'Query parameter "verbose" must be'],
    [
      "JSON content",
      "/items/1?filter=%7B%22left%22:5%7D",
      TRACE,
      'Query parameter "filter[left]" must be an object',
    ],
  ])("are refused as declared: %s", async (_, path, headers, message) => {
    const { status, json } = await send(port, path, { headers });
    expect(status).toBe(400);
    expect((json as { title: string }).title).toContain(message);
  });

  test("of another operation of the path item stay the path item's", async () => {
    const path = "/items/1?verbose=text";
    expect(await send(port, path, { method: "PUT", headers: TRACE })).toMatchObject({ status: 204 });
  });

  test("of a path item in another file", async () => {
    const headers = { Authorization: "Bearer user" };
    expect(await send(port, "/things?page=7", { headers })).toMatchObject({ status: 206, json: [] });
    expect(await send(port, "/things?page=x", { headers })).toMatchObject({ status: 400 });
  });
});

describe("responses", () => {
  test.each([
    [404, "a media type of its own", 404, "application/problem+json"],
    [409, "a range beside a code", 409, "application/json"],
    [503, "default without content", 503, undefined],
    [3, "a schema that contains itself", 200, "application/json"],
  ])("item %i: %s", async (id, _, status, mediaType) => {
    const answer = await send(port, `/items/${id}`, { headers: TRACE });
    expect([answer.status, answer.headers["content-type"]?.split(";")[0]]).toEqual([status, mediaType]);
  });

  test("with what is writeOnly do not leave", async () => {
    expect(await send(port, "/items/2", { headers: TRACE })).toMatchObject({ status: 500 });
  });

  test("of a range have the status that the handler chose, and a discriminated union in them", async () => {
    const answer = await send(port, "/things", { headers: { Authorization: "Bearer user" } });
    expect(answer).toMatchObject({ status: 200, json: [{ kind: "cat", indoor: true }, { kind: "dog" }] });
  });
});

describe("bodies", () => {
  const put = (body: unknown, headers: Send["headers"] = {}) =>
    send(port, "/items/1", {
      method: "PUT",
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify(body),
    });

  test("that are optional may be absent", async () => {
    expect(await send(port, "/items/1", { method: "PUT", headers: TRACE })).toMatchObject({ status: 204 });
  });

  test("apply defaults, require writeOnly properties, and send the required response header", async () => {
    const answer = await put({ name: null, secret: "s" });
    expect(answer).toMatchObject({ status: 201, json: { size: "m" }, headers: { location: "/items/s" } });
    expect(await put({ name: null })).toMatchObject({ status: 400 });
  });

  test("neither need nor take what is readOnly, at any depth", async () => {
    expect(await put({ name: "n", secret: "s", id: 1 })).toMatchObject({ status: 400 });
    const parent = { name: "n", secret: "s" };
    expect(await put({ name: "n", secret: "s", parent })).toMatchObject({ status: 201 });
    expect(await put({ name: "n", secret: "s", parent: { ...parent, id: 1 } })).toMatchObject({
      status: 400,
    });
  });

  test.each([
    ["nobody", {}, "anyone"],
    ["both of two", { Authorization: "Bearer user", "X-Tenant": "t" }, "user"],
    ["the other", { Authorization: "Bearer client" }, "client"],
    ["one of two, which is nobody", { "X-Tenant": "t" }, "anyone"],
  ])("are sent by %s", async (_, headers, name) => {
    expect(await put({ name: "n", secret: "s" }, headers)).toMatchObject({ status: 201, json: { name } });
  });
});

describe("hostile names", () => {
  const base = `/hostile${basePath}`;
  const keyed = { headers: { "X-Key": "key" } };

  test("are names like any other in paths, parameters and bodies", async () => {
    const path = encodeURI('/a"; throw 1; "*/value/\u2028//');
    const answer = await send(port, `${base}${path}?__proto__=p`, { method: "POST", ...keyed });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"__proto__":"p","constructor":5,"to\\nString":true}');
  });

  test("are names like any other of operations and schemes", async () => {
    expect(await send(port, `${base}/reserved`, { method: "PUT", ...keyed })).toMatchObject({ status: 204 });
    const headers = { Authorization: "Bearer token" };
    expect(await send(port, `${base}/reserved`, { headers })).toMatchObject({ status: 204 });
    expect(await send(port, `${base}/reserved`, { method: "POST" })).toMatchObject({ status: 401 });
  });
});
