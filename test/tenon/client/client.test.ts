// @slow: type-checks clients that must not compile.
import { createServer, type RequestListener, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  type ClientContract,
  createContractClient,
  type Credential,
  UndeclaredStatusError,
} from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import ts from "typescript";
import { createClient } from "../../fixtures/petlike/generated/client.js";
import { createApi, type ErrorBody, type Pet } from "../../fixtures/petlike/generated/server.js";
import { toCalls } from "../../support/calls.js";
import { close, listen } from "../../support/http.js";

const KEY = "secret";
const seen: { url: string; headers: Record<string, unknown> }[] = [];
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  const api = createApi({
    authenticators: { bearerAuth: (key) => (key === KEY ? { owner: "x" } : undefined) },
    context: () => ({}),
    errorBody: ({ code, message, status }): ErrorBody => ({ code, message, status }),
    handlers: {
      listPets: (_, reply) => reply[200]([{ id: 1, name: "Rex", categoryId: 1 }]),
      createPet: ({ body }, reply) => reply[201]({ ...body, id: 1 }),
      getPet: ({ path }, reply) =>
        path.petId === 1
          ? reply[200]({ id: 1, name: "Rex", categoryId: 1 })
          : reply[404]({ code: "pet_not_found", message: "No such animal.", status: 404 }),
    },
  });
  const app = express().use((request, _, next) => {
    seen.push({ url: request.url, headers: request.headers });
    next();
  }, api);
  server = createServer(app as RequestListener);
  baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
});

afterAll(() => close(server));

describe("generated client", () => {
  test("resolves to data or error, discriminated by status", async () => {
    const client = createClient({ baseUrl, apiKey: KEY });
    const result = await client.GET("/pets/{petId}", { params: { path: { petId: 2 } } });
    let found: Pet | ErrorBody;
    switch (result.status) {
      case 200: {
        const pet: Pet = result.data;
        found = pet;
        break;
      }
      case 404: {
        const error: ErrorBody = result.error;
        found = error;
        break;
      }
      case 401:
        throw new Error(result.error.message);
    }
    expect(found).toMatchObject({ code: "pet_not_found" });
    expect(result.response.headers.get("Content-Type")).toMatch("application/json");
  });

  test("has data for success and error for failure", async () => {
    const client = createClient({ baseUrl, apiKey: KEY });
    const { data, error } = await client.POST("/pets", { body: { name: "Rex", categoryId: 1 } });
    expect(error).toBeUndefined();
    expect(data).toEqual({ id: 1, name: "Rex", categoryId: 1 });
    expect((await client.POST("/pets", { body: { name: 7 as never, categoryId: 1 } })).status).toBe(400);
  });

  test("takes the key once, as text or from a function", async () => {
    const keys = ["old", KEY];
    const client = createClient({ baseUrl, apiKey: () => Promise.resolve(keys.shift() ?? "") });
    // The first key is rejected, and the function asked for another one.
    expect((await client.GET("/pets")).status).toBe(200);
    expect(keys).toEqual([]);
    expect((await createClient({ baseUrl }).GET("/pets")).status).toBe(401);
    expect(seen.at(-1)?.headers["authorization"]).toBeUndefined();
  });

  test("takes no credential to another host", async () => {
    const elsewhere: Record<string, unknown>[] = [];
    const other = createServer((request, response) => {
      elsewhere.push(request.headers);
      response.setHeader("Content-Type", "application/json").end("{}");
    });
    const otherPort = await listen(other);
    const redirecting = createServer((_, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${otherPort}/` }).end();
    });
    const securitySchemes = {
      bearer: { scheme: "Bearer" },
      cookie: { in: "cookie", name: "session" },
      key: { in: "header", name: "X-Api-Key" },
    } as const;
    interface Paths {
      "/a": { get: { parameters: object; responses: { 200: { content: { "application/json": object } } } } };
    }
    try {
      const url = `http://127.0.0.1:${await listen(redirecting)}`;
      const call = (schemes: readonly string[], options: Pick<RequestInit, "redirect"> = {}) => {
        const contract: ClientContract = {
          tenon: GENERATED_VERSION,
          securitySchemes,
          security: [schemes],
        };
        const calls = toCalls({ "/a": { get: { responses: [200] } } });
        const credentials = { bearer: KEY, cookie: KEY, key: KEY };
        return createContractClient<Paths>(contract, calls, { baseUrl: url, credentials }).GET("/a", options);
      };
      expect((await call(["bearer", "cookie"])).status).toBe(200);
      expect(JSON.stringify(elsewhere)).not.toContain(KEY);
      await expect(call(["key"])).rejects.toThrow("fetch failed");
      expect(elsewhere).toHaveLength(1);
      expect((await call(["key"], { redirect: "follow" })).status).toBe(200);
    } finally {
      await close(redirecting);
      await close(other);
    }
  });

  test("shows no credential in the error about one that no header can have", async () => {
    const error: unknown = await createClient({ baseUrl, apiKey: `${KEY}\r\nX-Other: 1` })
      .GET("/pets")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain(KEY);
    // A key that was read from a file ends with a line break, which fetch removes.
    await createClient({ baseUrl, apiKey: `${KEY}\n` }).GET("/pets");
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  test("passes parameters, headers and the rest of fetch's options on", async () => {
    const client = createClient({ baseUrl, apiKey: KEY, headers: { "X-Trace": "1", "X-Other": "2" } });
    await client.GET("/pets", {
      params: { query: { limit: 10, status: "sold" } },
      headers: { "X-Other": "3" },
    });
    expect(seen.at(-1)).toMatchObject({
      url: "/v1/pets?limit=10&status=sold",
      headers: { authorization: `Bearer ${KEY}`, "x-trace": "1", "x-other": "3" },
    });
    await client.GET("/pets", { headers: new Headers({ "X-Other": "4", Authorization: "Bearer other" }) });
    expect(seen.at(-1)?.headers).toMatchObject({ "x-other": "4", authorization: "Bearer other" });
    const signal = AbortSignal.abort(new Error("Enough"));
    await expect(client.GET("/pets", { signal })).rejects.toThrow("Enough");
  });

  test("resolves to no data for HEAD, whatever GET has", async () => {
    const contract: ClientContract = {
      tenon: GENERATED_VERSION,
      securitySchemes: {},
      security: [],
    };
    const calls = toCalls({ "/a": { head: { responses: [200] } } });
    interface Paths {
      "/a": { head: { parameters: object; responses: { 200: { content: { "application/json": string } } } } };
    }
    const fetch = () =>
      Promise.resolve(new Response(null, { headers: { "Content-Type": "application/json" } }));
    const { data } = await createContractClient<Paths>(contract, calls, { baseUrl, fetch }).HEAD("/a");
    const nothing: undefined = data;
    expect(nothing).toBeUndefined();
  });

  test("rejects what the contract does not declare, with what came", async () => {
    const fetch = () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error: unknown = await createClient({ baseUrl, fetch })
      .GET("/pets")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UndeclaredStatusError);
    expect(error).toMatchObject({ status: 502, body: "<h1>Bad gateway</h1>" });
  });

  test("uses the fetch that it is given", async () => {
    const requests: string[] = [];
    const fetch = (request: Request) => {
      requests.push(request.url);
      return Promise.resolve(Response.json([]));
    };
    const { data } = await createClient({ baseUrl: "https://petstore.example/v1", fetch }).GET("/pets");
    expect(data).toEqual([]);
    expect(requests).toEqual(["https://petstore.example/v1/pets"]);
  });
});

describe("credentials", () => {
  interface Paths {
    "/a": Record<
      "get" | "put" | "post" | "delete",
      { parameters: object; responses: { 204: { content?: never } } }
    >;
  }
  const contract: ClientContract = {
    tenon: GENERATED_VERSION,
    securitySchemes: {
      user: { scheme: "Basic" },
      token: { scheme: "Bearer" },
      header: { in: "header", name: "X-Key" },
      query: { in: "query", name: "key&" },
      cookie: { in: "cookie", name: "session" },
      constructor: { scheme: "Other" },
    },
    security: [["token"]],
  };
  const calls = toCalls({
    "/a": {
      get: { responses: [[204]] },
      put: {
        responses: [[204]],
        security: [["constructor"], ["user", "header"], ["query", "cookie", "mutual"]],
      },
      post: { responses: [[204]], security: [] },
      delete: { responses: [[204]], security: [[], ["token"]] },
    },
  });

  async function send(method: "GET" | "PUT" | "POST" | "DELETE", options: object) {
    const sent: { url: string; headers: object }[] = [];
    const fetch = (request: Request) => {
      sent.push({ url: request.url.slice("https://x".length), headers: Object.fromEntries(request.headers) });
      return Promise.resolve(new Response(null, { status: 204 }));
    };
    await createContractClient<Paths>(contract, calls, { baseUrl: "https://x", fetch, ...options })[method](
      "/a",
    );
    return sent[0];
  }

  const user: Credential = { username: "Jörg", password: "a:b" };

  test.each<["GET" | "PUT" | "POST" | "DELETE", object, object]>([
    [
      "GET",
      { credentials: { token: "t", header: "h" } },
      { url: "/a", headers: { authorization: "Bearer t" } },
    ],
    [
      "GET",
      { credentials: { token: () => Promise.resolve("t") } },
      { url: "/a", headers: { authorization: "Bearer t" } },
    ],
    ["GET", { credentials: { header: "h" } }, { url: "/a", headers: {} }],
    [
      "PUT",
      { apiKey: user, credentials: { header: "h", query: "q" } },
      { url: "/a", headers: { authorization: "Basic SsO2cmc6YTpi", "x-key": "h" } },
    ],
    [
      "PUT",
      { apiKey: user, credentials: { query: "a b", cookie: "c;d" } },
      { url: "/a?key%26=a%20b", headers: { cookie: "session=c%3Bd" } },
    ],
    ["PUT", { credentials: { user } }, { url: "/a", headers: {} }],
    ["POST", { credentials: { token: "t" } }, { url: "/a", headers: {} }],
    ["DELETE", { credentials: { token: "t" } }, { url: "/a", headers: {} }],
  ])("%s with %j sends what the first alternative that it can meet wants", async (method, options, want) => {
    expect(await send(method, options)).toEqual(want);
  });

  test("a contract without a scheme takes none", async () => {
    const { createClient: create } = await import("../../fixtures/media-types/generated/client.js");
    // @ts-expect-error there is nothing to send it as
    expect(() => create({ baseUrl, apiKey: "x" })).toThrow("no security scheme");
  });

  test("a key is a text", async () => {
    await expect(send("PUT", { credentials: { user, header: user } })).rejects.toThrow(
      'credential of "header"',
    );
  });
});

describe("readOnly and writeOnly", () => {
  test("differ in what a call sends and receives", async () => {
    const { createClient: create } = await import("../../fixtures/shapes/generated/client.js");
    const fetch = () => Promise.resolve(Response.json({ id: 1, name: null }));
    const client = create({ baseUrl, fetch });
    const { data } = await client
      .GET("/items/{item-id}", {
        params: { path: { "item-id": 1 }, header: { "X-Trace-Id": "t" } },
      })
      .then((result) => (result.status === 200 ? result : { data: undefined }));
    const id: number | undefined = data?.id;
    expect(id).toBe(1);
    const calls = [
      // @ts-expect-error the secret is not received
      () => String(data?.secret),
      // @ts-expect-error the secret has to be sent
      () => client.PUT("/items/{item-id}", { params: {} as never, body: { name: "x" } }),
      // @ts-expect-error the id cannot be
      () => client.PUT("/items/{item-id}", { params: {} as never, body: { name: "x", secret: "y", id: 1 } }),
      () => client.PUT("/items/{item-id}", { params: {} as never, body: { name: null, secret: "y" } }),
    ];
    expect(calls).toHaveLength(4);
  });
});

describe("client.ts", () => {
  test.each([
    ["a browser", { lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [] }],
    ["Node.js", { lib: ["lib.es2023.d.ts"], types: ["node"] }],
  ])("compiles for %s", (_, platform) => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const files = [
      `${root}test/fixtures/petlike/generated/client.ts`,
      `${root}test/tenon/client/declarations.ts`,
    ];
    const program = ts.createProgram(files, {
      ...platform,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      customConditions: ["tenon-source"],
      strict: true,
      exactOptionalPropertyTypes: true,
      declaration: true,
      noEmit: true,
      // A type of openapi-fetch, which requires DOM types.
      skipLibCheck: true,
    });
    const problems = [...ts.getPreEmitDiagnostics(program), ...program.getDeclarationDiagnostics()];
    const messages = problems.map(({ messageText }) => messageText);
    expect(messages).toEqual([]);
  });
});
