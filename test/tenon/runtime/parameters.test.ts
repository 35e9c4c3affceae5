import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createServer, type Server } from "node:http";
import express from "express";
import { createApi } from "../../fixtures/parameters/generated/server.js";
import { handlers } from "../../fixtures/parameters/handlers.js";
import { close, listen, send } from "../../support/http.js";
import { matching } from "../../support/matching.js";
import { startThings } from "./service.js";

let server: Server;
let port: number;

beforeAll(async () => {
  const app = express();
  app.use(
    createApi({
      handlers,
      authenticators: { queryKey: (key) => key },
      context: () => ({}),
      errorBody: (problem) => problem,
    }),
  );
  server = createServer(app);
  port = await listen(server);
});
afterAll(() => close(server));

const EMPTY = { path: {}, query: {}, headers: {}, cookies: {} };
const COLOUR = { R: 100, G: 200, name: "a,b" };
const VALUES = { text: "it's", list: [1, 2], object: COLOUR };
const DELIMITED = { list: [1, 2], object: COLOUR };

type Headers = Readonly<Record<string, string | string[]>>;

/** Starts a service whose only operation returns the values of a parameter's location. */
function startReading(parameter: { readonly name: string; readonly in: string; readonly schema: object }) {
  const responses = { "200": { description: "ok", content: { "application/json": { schema: {} } } } };
  return startThings({
    document: {
      openapi: "3.1.0",
      info: {},
      paths: { "/": { get: { operationId: "read", parameters: [parameter], responses } } },
    },
    handlers: {
      read: ({ cookies, query }, reply) => reply[200]?.(parameter.in === "cookie" ? cookies : query),
    },
  });
}

test("a cookie that may be null keeps its ampersand", async () => {
  const things = await startReading({ name: "session", in: "cookie", schema: { type: ["string", "null"] } });
  try {
    const { json } = await send(things.port, "/", { headers: { cookie: "session=a&b; other=1" } });
    expect(json).toEqual({ session: "a&b" });
  } finally {
    await things.stop();
  }
});

test("a query parameter may be a text or an object", async () => {
  const schema = { oneOf: [{ type: "string" }, { type: "object", required: ["a"] }] };
  const things = await startReading({ name: "x", in: "query", schema });
  try {
    expect((await send(things.port, "/?x=text")).json).toEqual({ x: "text" });
    expect((await send(things.port, "/?x=%7B%22a%22:1%7D")).json).toEqual({ x: { a: 1 } });
    expect((await send(things.port, "/?x=%7B%7D")).status).toBe(400);
  } finally {
    await things.stop();
  }
});

describe("every style, exploded and not, over HTTP", () => {
  test.each<[path: string, want: object, headers?: Headers]>([
    ["/simple/it's/1,2/R,100,G,200,name,a%2Cb", { path: VALUES }],
    ["/simpleExploded/it's/1,2/R=100,G=200,name=a%2Cb", { path: VALUES }],
    ["/label/.it's/.1,2/.R,100,G,200,name,a%2Cb", { path: VALUES }],
    ["/labelExploded/.it's/.1.2/.R=100.G=200.name=a%2Cb", { path: VALUES }],
    ["/matrix/;text=it's/;list=1,2/;object=R,100,G,200,name,a%2Cb", { path: VALUES }],
    ["/matrixExploded/;text=it's/;list=1;list=2/;R=100;G=200;name=a%2Cb", { path: VALUES }],
    ["/form?text=it's&list=1,2&object=R,100,G,200,name,a%2Cb", { query: VALUES }],
    ["/formExploded?text=it's&list=1&list=2&R=100&G=200&name=a,b", { query: VALUES }],
    ["/spaceDelimited?list=1%202&object=R%20100%20G%20200%20name%20a,b", { query: DELIMITED }],
    ["/spaceDelimitedExploded?list=1&list=2&R=100&G=200&name=a,b", { query: DELIMITED }],
    ["/pipeDelimited?list=1%7C2&object=R|100|G|200|name|a,b", { query: DELIMITED }],
    ["/pipeDelimitedExploded?list=1&list=2&R=100&G=200&name=a,b", { query: DELIMITED }],
    [
      "/header",
      { headers: { "x-text": "it's", "x-list": [1, 2], "x-object": { R: 100, name: "%2C" } } },
      { "X-Text": "it's", "X-List": ["1", "2"], "X-Object": "R, 100, name, %2C" },
    ],
    [
      "/headerExploded",
      { headers: { "x-text": "it's", "x-list": [1, 2], "x-object": { R: 100, name: "x=y" } } },
      { "X-Text": "it's", "X-List": "1, 2", "X-Object": "R=100, name=x=y" },
    ],
    [
      "/cookie",
      { cookies: VALUES },
      { cookie: "text=it's; list=1,2; object=R,100,G,200,name,a%2Cb; other=1" },
    ],
    [
      "/cookieExploded",
      { cookies: VALUES },
      { cookie: "text=it's; list=1&list=2; R=100&G=200&name=a%2Cb; other=1" },
    ],
    ["/cookieExploded", { cookies: VALUES }, { cookie: "text=it's; list=1; list=2; R=100; G=200; name=a,b" }],
  ])("%s", async (path, want, headers = {}) => {
    expect(await send(port, `/v1${path}`, { headers })).toMatchObject({
      status: 200,
      json: { ...EMPTY, ...want },
    });
  });

  test.each<[path: string, message: string, headers?: Headers]>([
    ["/simple/x/1,2x/R,1", 'Path parameter "list[1]" must be an integer in plain decimal digits'],
    ["/simple/x/1/R,256", 'Path parameter "object[R]" must be at most 255'],
    ["/form?object=R,x", 'Query parameter "object[R]" must be an integer in plain decimal digits'],
    ["/formExploded?R=256", 'Query parameter "R" must be at most 255'],
    ["/header", 'Header "X-Object[R]" must be at most 255', { "x-object": "R,256" }],
    ["/cookieExploded", 'Cookie "R" must be at most 255', { cookie: "R=256" }],
    ["/cookie", 'Cookie "list[0]" must be an integer in plain decimal digits', { cookie: "list=0x1" }],
  ])("%s is refused", async (path, message, headers = {}) => {
    expect(await send(port, `/v1${path}`, { headers })).toMatchObject({
      status: 400,
      json: { code: "invalid_parameter", message },
    });
  });
});

describe("over HTTP", () => {
  test.each<[path: string, want: unknown, headers?: Headers]>([
    ["/deepObject", EMPTY],
    [
      "/deepObject?filter[age]=3&filter%5Bcolour%5D%5BR%5D=4&filter[tags]=a&labels[x]=true",
      { sum: 7, sort: "up", tags: ["a"], labels: { x: true } },
    ],
    [
      "/brackets?created[gt]=5&items[0][price]=a&items[0][quantity]=2&items[1][price]=b&metadata[order]=1&expand[]=x&matrix[0][0]=1&matrix[0][1]=2",
      {
        created: { gt: 5 },
        items: [
          { price: "a", quantity: 2 },
          { price: "b", quantity: 1 },
        ],
        metadata: { order: "1" },
        expand: ["x"],
        matrix: [[1, 2]],
        since: 5,
        total: 3,
        order: "1",
      },
    ],
    ["/brackets?created=5&metadata=", { created: 5, metadata: "", since: 5, total: 0, order: "" }],
    [
      '/json/[[1,2],[3]]?tree={"child":{"value":1}}&either={"R":1}',
      {
        ...EMPTY,
        path: { point: [[1, 2], [3]] },
        query: { tree: { child: { value: 1 } }, either: { R: 1 } },
        headers: { "x-deep": { a: { b: [1] } } },
      },
      { "X-Deep": '{"a":{"b":[1]}}' },
    ],
    ["/json/[]?either=abc", { ...EMPTY, path: { point: [] }, query: { either: "abc" } }],
    ['/json/[]?either="a"', { ...EMPTY, path: { point: [] }, query: { either: '"a"' } }],
    ["/json/[]?either=[1]", { ...EMPTY, path: { point: [] }, query: { either: "[1]" } }],
    ["/text?note=a,b&pet=<R/>", ["a,b", "<R/>", "1,2"], { "X-Row": "1,2" }],
    ['/content?filter={"age":3}', { ...EMPTY, query: { filter: { age: 3, note: "none" } } }],
    [
      "/content",
      {
        ...EMPTY,
        headers: { "x-filter": { age: 3, note: null } },
        cookies: { filter: { age: 4, note: "x" } },
      },
      { "X-Filter": '{"age": 3, "note": null}', cookie: "filter=%7B%22age%22:4,%22note%22:%22x%22%7D" },
    ],
    [
      "/defaults",
      {
        ...EMPTY,
        query: { limit: 20, ids: [1, 2] },
        headers: { "x-limit": 20 },
        cookies: { limit: 20 },
      },
      { accept: "*/*", authorization: "x", "content-type": "text/x", "x-other": "1" },
    ],
    [
      "/names?filter[name]=a&ids[]=1&ids[]=2&constructor=b&__proto__=3&empty=&path=/a?b&key=secret",
      {
        ...EMPTY,
        query: {
          "filter[name]": "a",
          "ids[]": [1, 2],
          constructor: "b",
          ["__proto__"]: 3,
          empty: "",
          path: "/a?b",
        },
      },
    ],
    [
      "/unions?id=1&size=all&level=null&flag=true&ids=1&ids=2&day=2026-11-21",
      { id: 1, size: "all", level: null, flag: true, ids: [1, 2], day: "2026-11-21" },
    ],
    ["/unions?id=01&level=high&ids=1", { id: "01", level: "high", ids: 1 }],
    ["/rest?page=1&kind=a&x=2&y=3", { ...EMPTY, query: { page: 1, fields: { kind: "a", x: 2, y: 3 } } }],
  ])("%s is accepted", async (path, want, headers = {}) => {
    const { status, text } = await send(port, `/v1${path}`, { headers });
    expect([status, text === "" ? undefined : JSON.parse(text)]).toEqual([200, want]);
  });

  test.each<[path: string, message: string | RegExp]>([
    ["/deepObject?filter[sort]=up", 'Query parameter "filter[age]" is required'],
    ["/deepObject?filter[age]=0", 'Query parameter "filter[age]" must be at least 1'],
    ["/deepObject?filter[age]=1&filter[sort]=x", 'Query parameter "filter[sort]" must be one of up, down'],
    ["/deepObject?labels[x]=1", 'Query parameter "labels[x]" must be true or false'],
    ["/brackets?created[gt]=x", 'Query parameter "created[gt]" must be an integer in plain decimal digits'],
    ["/brackets?items[0][quantity]=2", 'Query parameter "items[0][price]" is required'],
    [
      "/brackets?items[0][price]=a&items[0][quantity]=0",
      'Query parameter "items[0][quantity]" must be at least 1',
    ],
    ["/brackets?items[0]=&items[1]=&items[2]=&items[3]=", 'Query parameter "items[0]" must be an object'],
    [
      "/brackets?created=",
      'Query parameter "created" must be an integer in plain decimal digits or an object',
    ],
    ["/json/[[1,]]", 'Path parameter "point" is not JSON (character 5)'],
    ['/json/[["1"]]', 'Path parameter "point[0][0]" must be an integer'],
    [
      "/json/[]?tree={%22value%22:9007199254740993}",
      'Query parameter "tree[value]" must be at most 9007199254740991',
    ],
    ["/json/[]?either=abcd", /^Query parameter "either" must/],
    ["/json/[]?either={", 'Query parameter "either" is not JSON (character 2)'],
    ["/text?note=abcdef", 'Query parameter "note" must not have more than 5 characters'],
    ['/content?filter={"age":"3"}', 'Query parameter "filter[age]" must be an integer'],
    ["/content?filter=null", 'Query parameter "filter" must be an object'],
    ["/names?__proto__=x", 'Query parameter "__proto__" must be an integer in plain decimal digits'],
    ["/names?constructor=", 'Query parameter "constructor" must not be empty'],
    ["/names?filter[other]=a", 'Query parameter "filter[other]" is unknown'],
    ["/unions?flag=false", 'Query parameter "flag" must be true'],
    ["/unions?day=21.11.2026", 'Query parameter "day" must match format "date"'],
    ["/rest?kind=a&x=y", 'Query parameter "x" must be an integer in plain decimal digits'],
  ])("%s is refused", async (path, message) => {
    expect(await send(port, `/v1${path}`)).toMatchObject({
      status: 400,
      json: {
        code: "invalid_parameter",
        message: matching(message),
      },
    });
  });

  test("parameters beside a body are read once, and the problems of both are reported", async () => {
    const post = (path: string, body: string) =>
      send(port, path, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await post("/v1/withBody?ids=1,2", '{"age":3}')).toMatchObject({
      status: 200,
      json: { query: { ids: [1, 2] }, body: { age: 3, note: "none" } },
    });
    expect(await post("/v1/withBody", '{"age":"3"}')).toMatchObject({
      status: 400,
      json: {
        code: "invalid_parameter",
        message: 'Query parameter "ids" is required; Field "age" must be an integer',
      },
    });
  });
});
