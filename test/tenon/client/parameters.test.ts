import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createClient } from "../../fixtures/parameters/generated/client.js";
import { createApi } from "../../fixtures/parameters/generated/server.js";
import { handlers } from "../../fixtures/parameters/handlers.js";
import { close, listen } from "../../support/http.js";

let server: Server;
let client: ReturnType<typeof createClient>;
const urls: string[] = [];

beforeAll(async () => {
  const api = createApi({
    handlers,
    authenticators: { queryKey: (key) => (key === "a&b" ? key : undefined) },
    context: () => ({}),
    errorBody: (problem) => problem,
  });
  const app = express().use((request, _, next) => {
    urls.push(request.url);
    next();
  }, api);
  server = createServer(app as RequestListener);
  const baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
  client = createClient({ baseUrl, credentials: { queryKey: "a&b" } });
});
afterAll(() => close(server));

const NASTY = "it's a,b|c;d=e&f/g?h#i%j+k.ü[]{}\"\\";
const OBJECT = { R: 100, G: -200, name: NASTY };
const VALUES = { text: NASTY, list: [1, -2, 30], object: OBJECT } as const;
/** A list is cut at these characters, escaped or not. */
const TAME = "it's;d=e&f/g?h#i%j+k.ü";

describe("a value arrives as it was sent, in every style", () => {
  test.each([
    "/simple/{text}/{list}/{object}",
    "/simpleExploded/{text}/{list}/{object}",
    "/label/{text}/{list}/{object}",
    "/labelExploded/{text}/{list}/{object}",
    "/matrix/{text}/{list}/{object}",
    "/matrixExploded/{text}/{list}/{object}",
  ] as const)("in the path: %s", async (path) => {
    const { data } = await client.GET(path, { params: { path: VALUES } });
    expect(data).toEqual({ path: VALUES, query: {}, headers: {}, cookies: {} });
  });

  test.each(["/form", "/formExploded"] as const)("in the query: %s", async (path) => {
    const { data } = await client.GET(path, { params: { query: VALUES } });
    expect(data).toMatchObject({ query: VALUES });
  });

  test.each([
    "/spaceDelimited",
    "/spaceDelimitedExploded",
    "/pipeDelimited",
    "/pipeDelimitedExploded",
  ] as const)("in the query: %s", async (path) => {
    const query = { list: [1, -2, 30], object: { ...OBJECT, name: TAME } };
    expect((await client.GET(path, { params: { query } })).data).toMatchObject({ query });
  });

  test.each(["/header", "/headerExploded"] as const)("in headers: %s", async (path) => {
    const name = "it's;d=e&f/g?h#i%j+k.";
    const header = { "X-Text": "a, b=c", "X-List": [1, -2], "X-Object": { R: 1, name } };
    expect((await client.GET(path, { params: { header } })).data).toMatchObject({
      headers: { "x-text": "a, b=c", "x-list": [1, -2], "x-object": { R: 1, name } },
    });
  });

  test.each(["/cookie", "/cookieExploded"] as const)("in cookies: %s", async (path) => {
    const { data } = await client.GET(path, { params: { cookie: VALUES } });
    expect(data).toMatchObject({ cookies: VALUES });
  });

  test("in brackets, as deep as it goes", async () => {
    const filter = { age: 5, sort: "down" as const, tags: [NASTY, "b"], colour: OBJECT };
    const { data } = await client.GET("/deepObject", {
      params: { query: { filter, labels: { a: true, "b c": false } } },
    });
    expect(data).toEqual({ sum: 105, sort: "down", tags: [NASTY, "b"], labels: { a: true, "b c": false } });
  });

  test("as JSON", async () => {
    const filter = { age: 5, note: 'a;b,"c"' };
    const params = { query: { filter }, header: { "X-Filter": filter }, cookie: { filter } };
    expect((await client.GET("/content", { params })).data).toMatchObject({
      query: { filter },
      headers: { "x-filter": filter },
      cookies: { filter },
    });
  });

  test.each([["a's"], ['"a'], ["1"], [{ R: 1, name: NASTY }]])("as JSON or text: %j", async (either) => {
    const params = { path: { point: [[1]] }, query: { either } };
    const { data } = await client.GET("/json/{point}", { params });
    expect(data).toMatchObject(params);
  });

  test("by whatever name", async () => {
    const query = { "filter[name]": "a", "ids[]": [1, 2], constructor: "c", ["__proto__"]: 7, path: "/a?b" };
    const { data } = await client.GET("/names", { params: { query } });
    expect(JSON.stringify((data as { query: object }).query)).toBe(JSON.stringify(query));
    expect(urls.at(-1)).toMatch(/&key=a%26b$/);
  });

  test("by names of its own properties", async () => {
    const query = { page: 1, fields: { kind: "k", "a&b=c d": 5 } as never };
    expect((await client.GET("/rest", { params: { query } })).data).toMatchObject({ query });
  });

  test("of any of several types, and null", async () => {
    const flag = true as const;
    const query = { id: "0x10", size: 7, level: null, flag, ids: [1, 2], day: "2026-11-21" };
    expect((await client.GET("/unions", { params: { query } })).data).toEqual(query);
  });

  test("beside a body", async () => {
    const { data } = await client.POST("/withBody", {
      params: { query: { ids: [1, 2] } },
      body: { age: 1, note: null },
    });
    expect(data).toEqual({ query: { ids: [1, 2] }, body: { age: 1, note: null } });
  });
});

describe("absent values", () => {
  test("is not sent: nothing, an empty list, an empty object", async () => {
    const query = { text: undefined, list: [], object: { R: undefined } } as never;
    for (const path of ["/formExploded", "/form", "/spaceDelimited"] as const) {
      await client.GET(path, { params: { query } });
      expect(urls.at(-1)).toBe(`/v1${path}`);
    }
    const { data } = await client.GET("/header", { params: { header: { "X-List": [] } } });
    expect(data).toEqual({ path: {}, query: {}, headers: {}, cookies: {} });
  });

  test("is sent in a path, as an empty list", async () => {
    const { data } = await client.GET("/matrix/{text}/{list}/{object}", {
      params: { path: { text: "", list: [], object: { R: 1 } } },
    });
    expect(data).toMatchObject({ path: { text: "", list: [], object: { R: 1 } } });
  });
});

describe("values that would change their meaning are refused before they are sent", () => {
  const simple = (path: object) =>
    client.GET("/simple/{text}/{list}/{object}", {
      params: { path: { ...VALUES, ...path } },
    });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["a path of dots", () => simple({ text: ".." }), /path parameter "text".*cannot have "\.\." as a part/],
    ["an empty part of a path", () => simple({ text: "" }), /cannot have "" as a part/],
    ["a list of an empty text", () => simple({ list: [""] }), /parsed as an empty array/],
    [
      "the same in a query",
      () => client.GET("/formExploded", { params: { query: { list: [""] as never } } }),
      /parsed as an empty array/,
    ],
    ["a number without end", () => simple({ text: Infinity }), /cannot represent this value/],
    ["an object in a list", () => simple({ list: [{}] }), /cannot represent this value/],
    [
      "a space between spaces",
      () => client.GET("/spaceDelimited", { params: { query: { object: { name: "a b" } } } }),
      /cannot contain the delimiter " "/,
    ],
    [
      "a bar between bars",
      () => client.GET("/pipeDelimited", { params: { query: { object: { name: "a|b" } } } }),
      /cannot contain the delimiter "\|"/,
    ],
    [
      "a comma in a header's list",
      () => client.GET("/header", { params: { header: { "X-Object": { name: "a,b" } } } }),
      /cannot contain the delimiter ","/,
    ],
    [
      "a name that ends early",
      () => client.GET("/headerExploded", { params: { header: { "X-Object": { "a=b": 1 } as never } } }),
      /cannot be the name/,
    ],
    [
      "a property that is another cookie",
      () => client.GET("/cookieExploded", { params: { cookie: { object: { "a; session": "x" } as never } } }),
      /cannot be the name of a cookie/,
    ],
    [
      "space around a header",
      () => client.GET("/header", { params: { header: { "X-Text": " a" } } }),
      /cannot start or end with space/,
    ],
    [
      "a text that would be JSON",
      () => client.GET("/json/{point}", { params: { path: { point: [] }, query: { either: "{a}" } } }),
      /would be parsed as JSON/,
    ],
    [
      "brackets in brackets",
      () => client.GET("/deepObject", { params: { query: { labels: { "a][b": true } } } }),
      /cannot have brackets/,
    ],
  ])("%s", async (_, call, message) => {
    const before = urls.length;
    await expect(call()).rejects.toThrow(TypeError);
    await expect(call()).rejects.toThrow(message);
    expect(urls).toHaveLength(before);
  });
});
