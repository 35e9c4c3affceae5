import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send, type Send } from "../../support/http.js";
import { Reply } from "../../../src/tenon/runtime/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { DOCUMENT, startThings, type LooseHandler, type Things } from "./service.js";
import { matching } from "../../support/matching.js";

const GOOD = { authorization: "Bearer good" };
const JSON_BODY = { ...GOOD, "content-type": "application/json" };

let things: Things;
beforeAll(async () => {
  things = await startThings();
});
afterAll(() => things.stop());

const get = (path: string, options: Send = {}) => send(things.port, path, { headers: GOOD, ...options });
const post = (body: string | Buffer, headers: Record<string, string> = JSON_BODY) =>
  send(things.port, "/v1/things", { method: "POST", headers, body });
const error = (code: string, status: number, message?: unknown) => ({
  error: { code, status, message: message ?? expect.any(String) },
});

describe("matching", () => {
  test("paths outside the base path go to the next middleware", async () => {
    expect(await get("/things")).toMatchObject({ status: 418, json: { after: true } });
  });

  test("an unknown path is 404 in the error body", async () => {
    expect(await get("/v1/nope")).toMatchObject({ status: 404, json: error("not_found", 404) });
  });

  test("another method is 405 with Allow", async () => {
    const answer = await get("/v1/things", { method: "DELETE" });
    expect(answer).toMatchObject({ status: 405, json: error("method_not_allowed", 405) });
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS, POST");
  });

  test("OPTIONS lists the methods of a path", async () => {
    const answer = await get("/v1/things", { method: "OPTIONS", headers: {} });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS, POST");
  });

  test("HEAD is GET without the body", async () => {
    const [head, whole] = [await get("/v1/things", { method: "HEAD" }), await get("/v1/things")];
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(String(whole.text.length));
    expect(head.headers["content-type"]).toBe("application/json");
  });

  test("a hyphenated parameter followed by literal text", async () => {
    expect(await send(things.port, "/v1/things/7:archive", { method: "PUT" })).toMatchObject({
      status: 204,
      text: "",
    });
  });
});

describe("parameters", () => {
  test.each([
    ["", { limit: 20 }],
    ["?limit=100", { limit: 100 }],
    ["?q=a+b", { q: "a b", limit: 20 }],
    ["?q=it's", { q: "it's", limit: 20 }],
    ["?q=10:30", { q: "10:30", limit: 20 }],
    ["?q=a,b;c/d@e", { q: "a,b;c/d@e", limit: 20 }],
    ["?q=%26%3D", { q: "&=", limit: 20 }],
    ["?ratio=-1.5e3", { ratio: -1500, limit: 20 }],
    ["?deep=true", { deep: true, limit: 20 }],
    ["?ids=1&ids=2", { ids: [1, 2], limit: 20 }],
    ["?ids=1", { ids: [1], limit: 20 }],
    ["?csv=1,2", { csv: [1, 2], limit: 20 }],
  ])("%s is accepted", async (query, want) => {
    expect(await get(`/v1/things${query}`)).toMatchObject({ status: 200, json: { query: want } });
  });

  test.each([
    ["?limit=0", 'Query parameter "limit" must be at least 1'],
    ["?limit=101", 'Query parameter "limit" must be at most 100'],
    ["?limit=", /^Query parameter "limit" must be/],
    ["?limit=Infinity", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=NaN", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=1e400", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=1e1", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=0x10", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=%205", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=+5", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=05", /^Query parameter "limit" must be an integer in plain decimal digits/],
    ["?limit=5.0", /^Query parameter "limit" must be an integer in plain decimal digits/],
    [
      "?limit=9007199254740993",
      /^Query parameter "limit" must be from -9007199254740991 to 9007199254740991/,
    ],
    ["?limit=5&limit=6", 'Query parameter "limit" must be an integer in plain decimal digits, and only once'],
    ["?limit[]=5", 'Query parameter "limit[]" is unknown'],
    ["?limit[a]=5", 'Query parameter "limit[a]" is unknown'],
    ["?ratio=1e-400", 'Query parameter "ratio" must be a number that a double can hold'],
    ["?ratio=9007199254740992.5", 'Query parameter "ratio" must be a number that a double can hold'],
    ["?ratio=Infinity", /^Query parameter "ratio" must be a decimal number/],
    ["?deep=1", 'Query parameter "deep" must be true or false'],
    ["?ids=1&ids=x", 'Query parameter "ids[1]" must be an integer in plain decimal digits'],
    ["?csv=1,0x2", 'Query parameter "csv[1]" must be an integer in plain decimal digits'],
    ["?q=a%00b", 'Query parameter "q" has a NUL character'],
    ["?zz=1", 'Query parameter "zz" is unknown'],
    ["?__proto__=1", 'Query parameter "__proto__" is unknown'],
    ["?constructor[prototype][x]=1", /is unknown$/],
    ["?Limit=5", 'Query parameter "Limit" is unknown'],
  ])("%s is 400 invalid_parameter", async (query, message) => {
    expect(await get(`/v1/things${query}`)).toMatchObject({
      status: 400,
      json: error("invalid_parameter", 400, matching(message)),
    });
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("a bad percent-escape is 400 malformed_request", async () => {
    expect(await get("/v1/things?q=%zz")).toMatchObject({
      status: 400,
      json: error("malformed_request", 400),
    });
  });

  test.each([
    "Infinity",
    "1e3",
    "0x1F",
    "01",
    "1.0",
    "9007199254740993",
    "9223372036854775808",
    "-0",
    "%20",
    "%D9%A3",
  ])("path parameter %s is no integer", async (value) => {
    expect(await send(things.port, `/v1/things/${value}:archive`, { method: "PUT" })).toMatchObject({
      status: 400,
      json: error("invalid_parameter", 400),
    });
  });

  test.each(["0", "-1", "9007199254740991", "-9007199254740991"])(
    "path parameter %s is one",
    async (value) => {
      expect(await send(things.port, `/v1/things/${value}:archive`, { method: "PUT" })).toMatchObject({
        status: 204,
      });
    },
  );

  test("header and cookie parameters are coerced and checked", async () => {
    const headers = { ...GOOD, "x-count": "3", cookie: "seen=4; other=x" };
    expect(await get("/v1/things", { headers })).toMatchObject({ status: 200, json: { count: 3, seen: 4 } });
    expect(await get("/v1/things", { headers: { ...headers, "x-count": "0x3" } })).toMatchObject({
      status: 400,
    });
    expect(await get("/v1/things", { headers: { ...headers, cookie: "seen=four" } })).toMatchObject({
      status: 400,
    });
  });
});

describe("body", () => {
  const good = '{"name":"n","size":1}';

  test("defaults are applied, values are not coerced, undeclared members pass", async () => {
    expect(await post('{"name":"n","size":1,"extra":{"a":1}}')).toMatchObject({
      status: 201,
      json: { name: "n", size: 1, kind: "a", extra: { a: 1 } },
    });
  });

  test.each(["9007199254740991", "-9007199254740991", "0", "1.0", "1e2"])(
    "integer %s is kept exactly",
    async (number) => {
      const answer = await post(`{"name":"n","size":${number}}`);
      expect(answer).toMatchObject({ status: 201, json: { size: Number(number) } });
    },
  );

  test.each([
    ["{}", 'Field "name" is required; Field "size" is required'],
    ['{"name":1,"size":"1"}', 'Field "name" must be a string; Field "size" must be an integer'],
    ['{"name":"n","size":1.5}', expect.stringContaining('Field "size" must be an integer')],
    ['{"name":"n","size":9007199254740993}', 'Field "size" must be at most 9007199254740991'],
    ['{"name":"n","size":-9223372036854775808}', 'Field "size" must be at least -9007199254740991'],
    ['{"name":"n","size":1e300}', expect.stringContaining('Field "size" must be at most 9007199254740991')],
    ['{"name":"n","size":1,"kind":"c"}', 'Field "kind" must be one of a, b'],
    ["null", expect.stringContaining("The body must be an object")],
    ["[]", "The body must be an object"],
    ['"x"', "The body must be an object"],
  ])("%s is 400 invalid_body", async (body, message) => {
    expect(await post(body)).toMatchObject({ status: 400, json: error("invalid_body", 400, message) });
  });

  test.each([
    "{",
    '{"name":"a","name":"b","size":1}',
    '{"name":"a\\u0000","size":1}',
    '{"name":"\\ud800","size":1}',
    '{"name":"n","size":1e400}',
  ])("%s is 400 malformed_json", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, json: error("malformed_json", 400) });
  });

  test("a missing body is 400 when it is required and fine when it is not", async () => {
    expect(await post("")).toMatchObject({
      status: 400,
      json: error("invalid_body", 400, "The body is required"),
    });
    expect(await send(things.port, "/v1/things/7:archive", { method: "PUT" })).toMatchObject({ status: 204 });
  });

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;charset=UTF-8; x=y"])(
    "Content-Type %s is 201",
    async (contentType) => {
      expect(await post(good, { ...GOOD, "content-type": contentType })).toMatchObject({ status: 201 });
    },
  );

  test.each([
    "application/json; charset=utf-16",
    "application/json; charset=foo",
    "application/vnd.api+json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/",
    undefined,
  ])("Content-Type %s is 415", async (contentType) => {
    const headers = { ...GOOD, ...(contentType !== undefined && { "content-type": contentType }) };
    const answer = await post(good, headers);
    expect(answer.status).toBe(415);
    expect(answer.json).toEqual(error("unsupported_media_type", 415));
    expect(answer.headers.accept).toBe("application/json");
  });

  test("a compressed body is read, and its size counts decompressed", async () => {
    const gzip = { ...JSON_BODY, "content-encoding": "gzip" };
    expect(await post(gzipSync(good), gzip)).toMatchObject({ status: 201 });
    expect(await post(gzipSync(" ".repeat(1_000_000)), gzip)).toMatchObject({ status: 413 });
    expect(await post(good, gzip)).toMatchObject({ status: 400, json: error("malformed_request", 400) });
    expect(await post(good, { ...JSON_BODY, "content-encoding": "zstd-nope" })).toMatchObject({
      status: 415,
    });
  });

  test.each([
    ["gzip", gzipSync, Buffer.alloc(4)],
    ["gzip", gzipSync, Buffer.from("\0\0more")],
    ["gzip", gzipSync, Buffer.from("more")],
    ["deflate", deflateSync, Buffer.from("more")],
    ["br", brotliCompressSync, Buffer.from("more")],
  ])("bytes after the end of %s data are 400", async (coding, compress, more) => {
    const headers = { ...JSON_BODY, "content-encoding": coding };
    expect(await post(compress(good), headers)).toMatchObject({ status: 201 });
    expect(await post(Buffer.concat([compress(good), more]), headers)).toMatchObject({
      status: 400,
      json: error("malformed_request", 400),
    });
  });

  test("a body over the limit is 413", async () => {
    expect(await post(JSON.stringify({ name: "x".repeat(20_000), size: 1 }))).toMatchObject({
      status: 413,
      json: error("content_too_large", 413, "The body is larger than 10000 bytes"),
    });
  });

  test.each([
    ["announced", "Content-Length: 1000000000\r\n\r\n"],
    ["in a chunk", `Transfer-Encoding: chunked\r\n\r\n4e20\r\n${" ".repeat(20_000)}\r\n`],
  ])("a body over the limit is 413 as soon as that is known: %s", async (_, rest) => {
    const socket = connect(things.port, "127.0.0.1");
    const headers = Object.entries({ ...JSON_BODY, host: "x" }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST /v1/things HTTP/1.1\r\n${headers.join("")}${rest}`);
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  test("a body that the operation does not declare is not read", async () => {
    const answer = await send(things.port, "/v1/things", {
      method: "GET",
      headers: { ...JSON_BODY, "content-length": "1" },
      body: "{",
    });
    expect(answer.status).toBe(200);
  });
});

describe("responses", () => {
  test.each([
    ["application/json", 200],
    ["*/*", 200],
    ["text/html, application/*;q=0.5", 200],
    ["text/html", 406],
    ["application/json;q=0", 406],
  ])("Accept: %s is %i", async (accept, status) => {
    expect(await get("/v1/things", { headers: { ...GOOD, accept } })).toMatchObject({ status });
  });

  test("an operation whose contract runs ahead of its handler is 501", async () => {
    expect(await get("/v1/later")).toMatchObject({ status: 501, json: error("not_implemented", 501) });
  });

  test("a deprecated operation has its headers in every response, errors included", async () => {
    for (const path of ["/v1/things/7:archive", "/v1/things/x:archive"]) {
      const { headers } = await send(things.port, path, { method: "PUT" });
      expect(headers).toMatchObject({
        deprecation: "@1767225600",
        sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
        link: '</v1/things>; rel="successor-version"',
      });
    }
  });

  test("from its sunset on it is 410", async () => {
    let now = Date.parse("2030-12-04T23:59:59.999Z");
    const later = await startThings({ options: { now: () => now } });
    const archive = () => send(later.port, "/v1/things/7:archive", { method: "PUT" });
    expect(await archive()).toMatchObject({ status: 204 });
    now += 1;
    expect(await archive()).toMatchObject({
      status: 410,
      json: error("gone", 410, "This operation was removed on 2030-12-05; use /v1/things"),
    });
    await later.stop();
  });
});

describe("handlers that go wrong", () => {
  const total = { headers: { "X-Total": 1 } };

  test.each<[string, LooseHandler]>([
    [
      "throws",
      () => {
        throw new Error("connect db.internal:5432");
      },
    ],
    ["rejects", () => Promise.reject(new Error("connect db.internal:5432"))],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what handlers must survive
    ["rejects with what is no error", () => Promise.reject("db.internal")],
    ["returns nothing", () => undefined],
    ["returns a plain object", () => ({ status: 200, body: {} })],
    ["returns another operation's reply", () => new Reply("both", 200, undefined, {})],
    ["lacks a required header", (_, reply) => reply[200]?.({})],
    ["sends a bad header", (_, reply) => reply[200]?.({}, { headers: { "X-Total": -1 } })],
    ["sends a bad body", (_, reply) => reply[200]?.([], total)],
    ["sends an undeclared status", () => new Reply("listThings", 299, undefined, {})],
  ])("one that %s is a 500 that tells nothing", async (_, handler) => {
    const broken = await startThings({ handlers: { listThings: handler } });
    const answer = await send(broken.port, "/v1/things", { headers: GOOD });
    expect(answer).toMatchObject({
      status: 500,
      json: error("internal_error", 500, "The service failed to process this request"),
    });
    expect(answer.text).not.toContain("db.internal");
    expect(broken.failures).toHaveLength(1);
    expect(broken.failures[0]?.operation?.id).toBe("listThings");
    await broken.stop();
  });

  test("reply.raw sends what the contract does not declare, with the operation's own headers", async () => {
    const handlers: Record<string, LooseHandler> = {
      archiveThing: (_, reply) =>
        reply.raw?.((response: ServerResponse) => {
          response.writeHead(418, { "Content-Type": "text/plain" }).end("short and stout");
        }),
    };
    const raw = await startThings({ handlers });
    const answer = await send(raw.port, "/v1/things/7:archive", { method: "PUT" });
    expect(answer).toMatchObject({ status: 418, text: "short and stout" });
    expect(answer.headers["deprecation"]).toMatch(/^@\d+$/);
    expect([raw.failures, raw.responseProblems]).toEqual([[], []]);
    await raw.stop();
  });

  test("reply.raw that fails is a 500, or a truncated response after its head is sent", async () => {
    const fail = (before: boolean): LooseHandler => {
      return (_, reply) =>
        reply.raw?.(async (response: ServerResponse) => {
          if (!before) response.writeHead(200, { "Content-Length": 10 }).write("half");
          await Promise.reject(new Error("db.internal"));
        });
    };
    const raw = await startThings({ handlers: { listThings: fail(true), anyone: fail(false) } });
    expect(await send(raw.port, "/v1/things", { headers: GOOD })).toMatchObject({ status: 500 });
    await expect(send(raw.port, "/v1/anyone")).rejects.toThrow(/aborted|hang up/);
    expect(raw.failures).toHaveLength(2);
    await raw.stop();
  });

  test("response validation: enforce refuses, report sends and reports, off is silent", async () => {
    const handlers: Record<string, LooseHandler> = { createThing: (_, reply) => reply[201]?.({ id: "x" }) };
    const run = async (responseValidation: string) => {
      const service = await startThings({ handlers, options: { responseValidation } });
      const { status } = await send(service.port, "/v1/things", {
        method: "POST",
        headers: JSON_BODY,
        body: '{"name":"n","size":1}',
      });
      await service.stop();
      return [status, service.responseProblems];
    };
    const told = [{ operationId: "createThing", status: 201, problems: ["/id must be an integer"] }];
    expect(await run("enforce")).toEqual([500, told]);
    expect(await run("report")).toEqual([201, told]);
    expect(await run("off")).toEqual([201, []]);
  });

  test("sampling validates the first response, then one in N", async () => {
    const handlers: Record<string, LooseHandler> = { createThing: (_, reply) => reply[201]?.({ id: "x" }) };
    const options = { responseValidation: "report", responseSampling: 3 };
    const service = await startThings({ handlers, options });
    const told: number[] = [];
    for (let request = 0; request < 7; request += 1) {
      const sent = { method: "POST", headers: JSON_BODY, body: '{"name":"n","size":1}' };
      expect(await send(service.port, "/v1/things", sent)).toMatchObject({ status: 201 });
      told.push(service.responseProblems.length);
    }
    expect(told).toEqual([1, 1, 1, 2, 2, 2, 3]);
    await service.stop();
    for (const responseSampling of [0, 1.5, -1])
      await expect(startThings({ handlers, options: { responseSampling } })).rejects.toThrow(RangeError);
  });
});

describe("start", () => {
  test.each([
    ["no contract at all", { document: [] }, /is not an OpenAPI 3.0, 3.1 or 3.2 document/],
    ["OpenAPI 2", { document: { swagger: "2.0" } }, /is not an OpenAPI 3.0, 3.1 or 3.2 document/],
    ["a missing handler", { handlers: { both: undefined as never } }, /Operation "both" has no handler/],
    [
      "a missing scheme",
      { document: { ...DOCUMENT, components: { ...DOCUMENT.components, securitySchemes: {} } } },
      /requires security scheme "bearer"/,
    ],
    [
      "a missing authenticator",
      { options: { authenticators: {} } },
      /Security scheme "bearer" has no authenticator: add a function "bearer" to the option authenticators/,
    ],
    [
      "a schema that does not compile",
      {
        document: {
          ...DOCUMENT,
          components: {
            ...DOCUMENT.components,
            schemas: { ...DOCUMENT.components.schemas, NewThing: { type: "nonsense" } },
          },
        },
      },
      /./,
    ],
  ])("is stopped by %s", async (_, given, message) => {
    await expect(startThings(given)).rejects.toThrow(message);
  });

  test("a response whose schema does not compile fails when it is validated", async () => {
    const { schemas } = DOCUMENT.components;
    const document = {
      ...DOCUMENT,
      components: { ...DOCUMENT.components, schemas: { ...schemas, Thing: { type: "nonsense" } } },
    };
    const broken = await startThings({ document });
    const path = (method: string) =>
      send(broken.port, "/v1/things", {
        method,
        headers: JSON_BODY,
        ...(method === "POST" && { body: '{"name":"a","size":1}' }),
      });
    expect(await path("GET")).toMatchObject({ status: 200 });
    expect(await path("POST")).toMatchObject({ status: 500, json: error("internal_error", 500) });
    expect(broken.failures).toMatchObject([{ error: { message: matching(/type/) } }]);
    await broken.stop();
  });

  test("a handler that is missing is 501 when the service asks for that", async () => {
    const partial = await startThings({
      handlers: { both: undefined as never },
      options: { unimplemented: "501" },
    });
    expect(await send(partial.port, "/v1/both?key=good")).toMatchObject({ status: 501 });
    await partial.stop();
  });

  test("every operation of the table was tried above", () => {
    const tried = [...things.handled, "both", "anyone", "later"];
    expect(buildContract(DOCUMENT).operations.filter(({ id }) => !tried.includes(id))).toEqual([]);
  });
});
