import { afterEach, describe, expect, test } from "@jest/globals";
import { type Agent, connectAgent, NEWEST, post } from "./agent.js";
import { json, startSmall, type Small, type SmallOptions } from "./small.js";

let small: Small;
let agent: Agent;
afterEach(async () => {
  await agent.close();
  await small.stop();
});

async function start(options: SmallOptions): Promise<Agent> {
  small = await startSmall(options);
  return (agent = await connectAgent(small.url));
}

const ANY = { type: "object" };

test("arguments of all places are members of one object, whatever their names clash with", async () => {
  await start({
    paths: {
      "/things/{id}": {
        put: {
          operationId: "putThing",
          "x-mcp": true,
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "id", in: "query", schema: { type: "integer" } },
            {
              name: "tags",
              in: "query",
              explode: false,
              schema: { type: "array", items: { type: "string" } },
            },
            { name: "X-Trace", in: "header", schema: { type: "string" } },
            { name: "seen", in: "cookie", schema: { type: "integer" } },
          ],
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
              },
            },
          },
          responses: { "204": { description: "done" } },
        },
      },
    },
    handlers: { putThing: (_, reply) => reply[204]?.() },
  });
  const { tools } = await agent.list();
  expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual([
    ...["id", "id_2", "tags", "X-Trace", "seen", "name"],
  ]);
  const args = { id: "a/../b?c", id_2: 3, tags: ["x,y", "z"], "X-Trace": "t", seen: 4, name: "n" };
  const { structuredContent } = await agent.call("putThing", args);
  expect(structuredContent).toEqual({ status: 204 });
  expect(small.handled).toMatchObject([
    [
      "putThing",
      {
        path: { id: "a/../b?c" },
        query: { id: 3, tags: ["x,y", "z"] },
        headers: { "x-trace": "t" },
        cookies: { seen: 4 },
        body: { name: "n" },
      },
    ],
  ]);
});

test("names of tools are unique, and have only what clients accept", async () => {
  const operation = (id: string, mcp: unknown = true) => ({
    operationId: id,
    "x-mcp": mcp,
    responses: { "204": { description: "done" } },
  });
  await start({
    paths: {
      "/a": { get: operation("a.b") },
      "/b": { get: operation("a b") },
      "/c": { get: operation("c", { name: "see", title: "See", description: "Look.", confirm: true }) },
      "/d": { get: operation("x".repeat(90)) },
      "/e": { get: operation("e", false) },
    },
    handlers: Object.fromEntries(
      ["a.b", "a b", "c", "x".repeat(90), "e"].map((id) => [id, (_: unknown, reply) => reply[204]?.()]),
    ),
  });
  const { tools } = await agent.list();
  expect(tools.map(({ name }) => name)).toEqual(["a_b", "a_b_2", "see", "x".repeat(64)]);
  expect(tools[2]).toMatchObject({ title: "See", description: "Look. Ask the user before each call." });
});

test("tags of the options are tools, but not what is deprecated, internal or refused", async () => {
  const operation = (id: string, extra: object) => ({
    get: { operationId: id, tags: ["reports"], ...extra, responses: { "204": { description: "done" } } },
  });
  await start({
    paths: {
      "/a": operation("tagged", {}),
      "/b": operation("old", { deprecated: true }),
      "/c": operation("internal", { "x-internal": true }),
      "/d": operation("refused", { "x-mcp": false }),
      "/e": operation("other", { tags: [] }),
    },
    handlers: Object.fromEntries(
      ["tagged", "old", "internal", "refused", "other"].map((id) => [
        id,
        (_: unknown, reply) => reply[204]?.(),
      ]),
    ),
    mcp: { tags: ["reports"] },
  });
  expect((await agent.list()).tools.map(({ name }) => name)).toEqual(["tagged"]);
});

describe("answers", () => {
  const get = (responses: object, extra: object = {}) => ({
    "/answer": { get: { operationId: "answer", "x-mcp": true, ...extra, responses } },
  });

  test("a list that is too long comes in parts, each of them whole", async () => {
    const items = Array.from({ length: 300 }, (_, id) => ({ id, text: "x".repeat(20) }));
    const schema = {
      type: "array",
      items: { type: "object", properties: { id: { type: "integer" }, text: { type: "string" } } },
    };
    await start({
      paths: get({ "200": json(schema) }),
      handlers: { answer: (_, reply) => reply[200]?.(items) },
      mcp: { maxText: 2_000 },
    });
    const found: unknown[] = [];
    for (let part = 1, parts = 1; part <= parts; part += 1) {
      const { structuredContent = {}, text } = await agent.call("answer", { response_part: part });
      expect(text.length).toBeLessThan(2_300);
      expect(structuredContent["part"]).toBe(part);
      parts = Number(structuredContent["parts"]);
      found.push(...(structuredContent["body"] as unknown[]));
    }
    expect(found).toEqual(items);
    for (const response_part of [0, -1, 1.5, "x"])
      expect((await agent.call("answer", { response_part })).isError).toBe(true);
  });

  test("a text that is too long comes in parts", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
    await start({
      paths: get({ "200": { description: "ok", content: { "text/plain": { schema: { type: "string" } } } } }),
      handlers: { answer: (_, reply) => reply[200]?.(text) },
      mcp: { maxText: 1_000 },
    });
    const first = await agent.call("answer");
    expect(first.structuredContent).toEqual({ status: 200, part: 1, parts: Math.ceil(text.length / 1_000) });
    expect(first.text.startsWith(text.slice(0, 1_000))).toBe(true);
    expect(first.text).toContain('"response_part": 2');
  });

  describe("pages", () => {
    const header = { schema: { type: "string" } };
    const parameters = [
      { name: "owner", in: "path", required: true, schema: { type: "string" } },
      { name: "page", in: "query", schema: { type: "integer" } },
      { name: "X-Trace", in: "header", schema: { type: "string" } },
    ];
    const list = { operationId: "list", "x-mcp": true, parameters };
    const responses = { "200": json(ANY, { headers: { Link: header } }) };
    const ask = async (
      link: string,
      args: Readonly<Record<string, unknown>>,
      path = "/of/{owner}/things",
    ) => {
      const own = parameters.filter(({ in: place }) => place !== "path" || path.includes("{"));
      await start({
        paths: { [path]: { get: { ...list, parameters: own, responses } } },
        handlers: { list: (_, reply) => reply[200]?.({}, { headers: { Link: link } }) },
      });
      return agent.call("list", args);
    };

    test("the arguments of the next page are those of the link, with the path and headers of the call", async () => {
      const owner = "a b~é/c";
      const path = `/v1/of/${encodeURIComponent(owner)}/things`;
      const result = await ask(`<${path}?page=2&unknown=1>; rel="next"`, { owner, page: 1, "X-Trace": "t" });
      const next = { owner, "X-Trace": "t", page: 2 };
      expect(result.structuredContent).toEqual({ status: 200, body: {}, next });
      expect(result.text).toContain(`There are more: call again with ${JSON.stringify(next)}.`);
    });

    test("a link to the pages of another owner is left out", async () => {
      const result = await ask(`</v1/of/other/things?page=2>; rel="next"`, { owner: "me" });
      expect(result.structuredContent).toEqual({ status: 200, body: {} });
    });

    test.each([
      "http://[half?page=2",
      "http://a b:99999999/?page=2",
      "/v1/%E0%A4%A/things?page=2",
      "/v1/things%ff?page=2",
      "/elsewhere?page=2",
      "?unknown=2",
    ])(
      "the link <%s> leads to no page of the operation, and the response is as without it",
      async (address) => {
        const result = await ask(`<${address}>; rel="next"`, {}, "/things");
        expect(result).toMatchObject({ structuredContent: { status: 200, body: {} }, text: "{}" });
        expect(result.isError).toBeUndefined();
        expect(result.structuredContent).not.toHaveProperty("next");
      },
    );
  });

  test("images are images, and other bytes are resources", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
    const answer = (id: string, mediaType: string) => ({
      get: {
        operationId: id,
        "x-mcp": true,
        responses: {
          "200": {
            description: "ok",
            headers: { "Content-Disposition": { schema: { type: "string" } } },
            content: { [mediaType]: { schema: { type: "string", format: "binary" } } },
          },
        },
      },
    });
    await start({
      paths: { "/png": answer("png", "image/png"), "/pdf": answer("pdf", "application/pdf") },
      handlers: {
        png: (_, reply) => reply[200]?.(bytes),
        pdf: (_, reply) =>
          reply[200]?.(bytes, {
            headers: { "Content-Disposition": 'attachment; filename="a b/c.pdf"' },
          }),
      },
    });
    const data = bytes.toString("base64");
    expect((await agent.call("png")).content).toEqual([{ type: "image", data, mimeType: "image/png" }]);
    expect((await agent.call("pdf")).content).toEqual([
      {
        type: "resource",
        resource: { uri: "tool:response/a%20b%2Fc.pdf", mimeType: "application/pdf", blob: data },
      },
    ]);
  });

  test("a file that is longer than is read is left out: a part of it is of no use", async () => {
    const content = { "application/pdf": { schema: { type: "string", format: "binary" } } };
    await start({
      paths: get({ "200": { description: "ok", content } }),
      handlers: { answer: (_, reply) => reply[200]?.(Buffer.alloc(5_000)) },
      mcp: { maxBody: 1_000 },
    });
    const { content: found, text, structuredContent } = await agent.call("answer");
    expect(found.map(({ type }) => type)).toEqual(["text"]);
    expect(text).toContain("The body is of the type application/pdf");
    expect(text).toContain("longer than is read");
    expect(structuredContent).toEqual({ status: 200 });
  });

  test("a stream that goes on is left, and its whole items are the answer", async () => {
    const responses = {
      "200": { description: "ok", content: { "application/jsonl": { itemSchema: { type: "object" } } } },
    };
    await start({
      openapi: "3.2.0",
      paths: get(responses),
      handlers: {
        answer: (_, reply) =>
          reply[200]?.(
            (async function* () {
              yield { id: 1 };
              yield { id: 2 };
              // It never goes on.
              await new Promise(() => undefined);
            })(),
          ),
      },
      mcp: { maxTime: 500 },
    });
    const { structuredContent, text } = await agent.call("answer");
    expect(structuredContent).toEqual({ status: 200, body: [{ id: 1 }, { id: 2 }] });
    expect(text).toContain("the rest is left out");
  });

  describe.each(["2025-11-25", NEWEST])("the items of a stream arrive as progress in %s", (revision) => {
    /** Starts a stream whose next item waits until the client has seen the one before. */
    const startStream = async (mediaType: string, items: readonly object[]) => {
      let seen = (): void => undefined;
      const progress: unknown[] = [];
      small = await startSmall({
        openapi: "3.2.0",
        paths: get({ "200": { description: "ok", content: { [mediaType]: { itemSchema: ANY } } } }),
        handlers: {
          answer: (_, reply) =>
            reply[200]?.(
              (async function* () {
                for (const item of items) {
                  const next = new Promise<void>((resolve) => (seen = resolve));
                  yield item;
                  // A record of RFC 7464 ends where the next one begins.
                  if (mediaType !== "application/json-seq") await next;
                }
              })(),
            ),
        },
      });
      agent = await connectAgent(small.url, { revision });
      const result = await agent.call("answer", {}, ({ progress: count, message = "" }) => {
        progress.push([count, JSON.parse(message)]);
        seen();
      });
      return { progress, result };
    };

    test.each([
      ["application/jsonl", [{ id: 1 }, { id: 2, text: "a\nb" }, { id: 3 }]],
      ["application/json-seq", [{ id: 1 }, { id: 2 }]],
      [
        "text/event-stream",
        [
          { event: "message", data: "one" },
          { event: "message", data: "two\nlines" },
        ],
      ],
    ])("%s", async (mediaType, items) => {
      const { progress, result } = await startStream(mediaType, items);
      expect(progress).toMatchObject(items.map((item, index) => [index + 1, item]));
      expect(result.structuredContent).toMatchObject({ status: 200, body: items });
    });
  });

  test("a client that leaves in the middle of a stream is no failure, and ends the call", async () => {
    const failures: unknown[] = [];
    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    small = await startSmall({
      openapi: "3.2.0",
      onFailure: ({ error }) => failures.push(error),
      paths: get({ "200": { description: "ok", content: { "application/jsonl": { itemSchema: ANY } } } }),
      handlers: {
        answer: (_, reply) =>
          reply[200]?.(
            (async function* () {
              try {
                for (;;) yield await new Promise((resolve) => setTimeout(resolve, 10, { id: 1 }));
              } finally {
                ended();
              }
            })(),
          ),
      },
    });
    const params = { name: "answer", arguments: {}, _meta: { progressToken: 1 } };
    const response = await post(small.url, "tools/call", params);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) as { readonly value: Uint8Array };
    expect(new TextDecoder().decode(value)).toContain("notifications/progress");
    await reader?.cancel();
    await end;
    agent = await connectAgent(small.url);
    expect(failures).toEqual([]);
  });

  test("a stream of more items than a result has is cut, and says so", async () => {
    const items = Array.from({ length: 3_000 }, (_, id) => ({ id }));
    let count = 0;
    await start({
      openapi: "3.2.0",
      paths: get({ "200": { description: "ok", content: { "application/jsonl": { itemSchema: ANY } } } }),
      handlers: { answer: (_, reply) => reply[200]?.(items.values()) },
      mcp: { maxText: 1_000, maxBody: 20_000 },
    });
    const { text, structuredContent } = await agent.call("answer", {}, () => (count += 1));
    expect(text.length).toBeLessThan(1_300);
    expect(text).toContain("This is part 1 of");
    expect(text).toContain("the rest is left out");
    expect((structuredContent?.["body"] as object[])[0]).toEqual({ id: 0 });
    // Not all of them: a fast stream would flood the client.
    expect(count).toBe(1_000);
  });

  test("files are sent in Base64, in a form or as the body", async () => {
    await start({
      paths: {
        "/form": {
          post: {
            operationId: "form",
            "x-mcp": true,
            requestBody: {
              required: true,
              content: {
                "multipart/form-data": {
                  schema: {
                    type: "object",
                    required: ["photo"],
                    properties: { photo: { type: "string", format: "binary" }, title: { type: "string" } },
                  },
                },
              },
            },
            responses: { "204": { description: "done" } },
          },
        },
        "/bytes": {
          post: {
            operationId: "bytes",
            "x-mcp": true,
            requestBody: {
              required: true,
              content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
            },
            responses: { "204": { description: "done" } },
          },
        },
      },
      handlers: {
        form: ({ body }, reply) => {
          const { photo } = body as { photo: { readonly bytes?: () => Promise<Uint8Array> } };
          expect(photo).toBeDefined();
          return reply[204]?.();
        },
        bytes: (_, reply) => reply[204]?.(),
      },
    });
    const photo = Buffer.from("hello").toString("base64");
    expect((await agent.call("form", { photo, title: "t" })).structuredContent).toEqual({ status: 204 });
    expect((await agent.call("bytes", { body: photo })).structuredContent).toEqual({ status: 204 });
    const wrong = await agent.call("form", { photo: "%%%", title: "t" });
    expect(wrong).toMatchObject({ isError: true, text: 'The argument "photo" must be text in Base64' });
    expect(small.handled.map(([id]) => id)).toEqual(["form", "bytes"]);
  });

  test("more bytes than are read are left out, and the text says so", async () => {
    await start({
      paths: get({ "200": { description: "ok", content: { "text/plain": { schema: { type: "string" } } } } }),
      handlers: { answer: (_, reply) => reply[200]?.("x".repeat(100_000)) },
      mcp: { maxBody: 1_000 },
    });
    expect((await agent.call("answer")).text).toMatch(/^x{1000}\nThe response was longer than is read/);
  });

  test("a failure of the service has no detail", async () => {
    const failures: unknown[] = [];
    await start({
      paths: get({ "200": json(ANY) }),
      onFailure: ({ error }) => failures.push(error),
      handlers: {
        answer: () => {
          throw new Error("secret of the database");
        },
      },
    });
    const { isError, text, structuredContent } = await agent.call("answer");
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ status: 500, error: { code: "internal_error" } });
    expect(text).not.toContain("secret");
    expect(failures).toEqual([new Error("secret of the database")]);
  });
});

describe("OAuth", () => {
  const SECURITY = { oauth: ["read"] };
  const options = (
    authenticate: (token: string, of: { scopes: readonly string[] }) => unknown,
  ): SmallOptions => ({
    paths: {
      "/read": {
        get: {
          operationId: "read",
          "x-mcp": true,
          security: [SECURITY],
          responses: { "204": { description: "ok" } },
        },
      },
      "/write": {
        post: {
          operationId: "write",
          "x-mcp": true,
          security: [{ oauth: ["write"] }],
          responses: { "204": { description: "ok" } },
        },
      },
    },
    components: {
      securitySchemes: {
        oauth: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: "https://login.example/token", scopes: { read: "r", write: "w" } },
          },
        },
      },
    },
    handlers: { read: (_, reply) => reply[204]?.(), write: (_, reply) => reply[204]?.() },
    authenticators: { oauth: authenticate },
  });

  test("the metadata is public and named by the challenge; a missing scope reaches the client as HTTP", async () => {
    const { HttpError } = await import("../../../src/tenon/runtime/index.js");
    let isRevoked = false;
    small = await startSmall(
      options((token, { scopes }) => {
        if (isRevoked && scopes.includes("write")) return undefined;
        if (token === "reader" && scopes.includes("write"))
          throw new HttpError("forbidden", {
            headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope"' },
          });
        return token === "reader" ? { token } : undefined;
      }),
    );
    const refused = await post(small.url, "tools/list", {});
    const metadata = `${small.url}/.well-known/oauth-protected-resource`;
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${metadata}", scope="read write", realm="Small"`,
    );
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: small.url,
      authorization_servers: ["https://login.example"],
      scopes_supported: ["read", "write"],
      bearer_methods_supported: ["header"],
    });
    const headers = { Authorization: "Bearer reader" };
    agent = await connectAgent(small.url, { headers });
    expect((await agent.call("read")).structuredContent).toEqual({ status: 204 });
    // The revisions differ in whether an answer begins before its call has ended.
    const newest = { "MCP-Protocol-Version": NEWEST, "MCP-Method": "tools/call", "MCP-Name": "write" };
    const meta = {
      "io.modelcontextprotocol/protocolVersion": NEWEST,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    for (const [own, params] of [
      [{}, {}],
      [newest, { _meta: meta }],
    ] as const) {
      const call = () =>
        post(small.url, "tools/call", { name: "write", arguments: {}, ...params }, { ...headers, ...own });
      isRevoked = false;
      const response = await call();
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${metadata}", scope="write", error="insufficient_scope"`,
      );
      isRevoked = true;
      expect((await call()).status).toBe(401);
    }
    expect(small.handled.map(([id]) => id)).toEqual(["read"]);
  });
});

test("a call that is refused for another scheme's credential is a result, without OAuth", async () => {
  const operation = (id: string, scheme: string) => ({
    get: {
      operationId: id,
      "x-mcp": true,
      security: [{ [scheme]: [] }],
      responses: { "204": { description: "ok" } },
    },
  });
  small = await startSmall({
    paths: { "/a": operation("a", "one"), "/b": operation("b", "two") },
    components: {
      securitySchemes: {
        one: { type: "apiKey", in: "header", name: "X-One" },
        two: { type: "apiKey", in: "query", name: "two" },
      },
    },
    handlers: { a: (_, reply) => reply[204]?.(), b: (_, reply) => reply[204]?.() },
    authenticators: {
      one: (key: string) => (key === "1" ? {} : undefined),
      two: (key: string) => (key === "2" ? {} : undefined),
    },
  });
  agent = await connectAgent(small.url, { headers: { "X-One": "1" } });
  expect((await agent.call("a")).structuredContent).toEqual({ status: 204 });
  expect((await agent.call("b")).structuredContent).toMatchObject({ status: 401 });
  const other = await connectAgent(`${small.url}?two=2&three=3`);
  expect((await other.call("b")).structuredContent).toEqual({ status: 204 });
  await other.close();
  expect(small.handled.map(([id]) => id)).toEqual(["a", "b"]);
});

test("hosts of the options are answered, and no others", async () => {
  await start({
    paths: {
      "/a": { get: { operationId: "a", "x-mcp": true, responses: { "204": { description: "ok" } } } },
    },
    handlers: { a: (_, reply) => reply[204]?.() },
    mcp: { hosts: ["127.0.0.1"], origins: ["https://agents.example"] },
  });
  const status = async (url: string, headers: Record<string, string>) =>
    (await post(url, "tools/list", {}, headers)).status;
  expect(await status(small.url, {})).toBe(200);
  expect(await status(small.url, { Origin: "https://agents.example" })).toBe(200);
  expect(await status(small.url, { Origin: "https://other.example" })).toBe(403);
  expect(await status(small.url.replace("127.0.0.1", "localhost"), {})).toBe(403);
});
