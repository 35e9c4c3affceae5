import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { HttpError } from "../../../src/tenon/runtime/index.js";
import { send, sendRaw } from "../../support/http.js";
import { DOCUMENT, startThings, type Things } from "./service.js";

let things: Things;
beforeAll(async () => {
  things = await startThings();
});
afterAll(() => things.stop());

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
const REALM = 'realm="The \\"Things\\" API"';

test.each([
  ["Pets \u2014 动物", "Pets %E2%80%94 %E5%8A%A8%E7%89%A9"],
  ["Ümläut", "%C3%9Cml%C3%A4ut"],
  ["two\r\nlines", "two%0D%0Alines"],
  ["half \ud83d", "half %EF%BF%BD"],
])("a title that no header can have: %j", async (title, realm) => {
  const document = { ...DOCUMENT, info: { title, version: "1" } };
  const other = await startThings({ document });
  const { status, headers } = await send(other.port, "/v1/things");
  await other.stop();
  expect({ status, challenge: headers["www-authenticate"] }).toEqual({
    status: 401,
    challenge: `Bearer realm="${realm}"`,
  });
});

describe("bearer", () => {
  test.each(["Bearer good", "bearer good", "BEARER good"])("%s is accepted", async (authorization) => {
    expect(await send(things.port, "/v1/things", { headers: { authorization } })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    "Bearer",
    "Bearer ",
    "Bearer  good",
    "Bearer good x",
    "Bearer good,good",
    "Bearergood",
    "Bearer\tgood",
    "Basic bearer",
    "Basic good",
    basic("user:good"),
    "Token good",
    "good",
    "x Bearer good",
    "Bearer nope",
    "Bearer göod",
    `Bearer ${"a".repeat(5000)}`,
  ])("%.40s is 401 and says so with a challenge", async (authorization) => {
    const before = things.handled.length;
    const headers = { authorization: Buffer.from(authorization).toString("latin1") };
    const answer = await send(things.port, "/v1/things", { headers });
    expect(answer).toMatchObject({ status: 401, json: { error: { code: "unauthorized", status: 401 } } });
    expect(answer.headers["www-authenticate"]).toBe(`Bearer ${REALM}, error="invalid_token"`);
    expect(things.handled).toHaveLength(before);
  });

  test("without a key the challenge has no error (RFC 6750, section 3.1)", async () => {
    const answer = await send(things.port, "/v1/things");
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(`Bearer ${REALM}`);
  });

  test("two Authorization headers are 401, whatever they hold", async () => {
    const answer = await sendRaw(
      things.port,
      "GET /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer good\r\nAuthorization: Bearer good\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  test.each([
    ["a bad parameter", "/v1/things?limit=x", {}],
    ["an unknown parameter", "/v1/things?zz=1", {}],
    [
      "a body that is not JSON",
      "/v1/things",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{" },
    ],
    [
      "another media type",
      "/v1/things",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "x" },
    ],
    [
      "a body over the limit",
      "/v1/things",
      { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(50_000) },
    ],
    ["an Accept that cannot be met", "/v1/things", { headers: { accept: "text/html" } }],
  ])("comes before %s", async (_, path, options) => {
    expect(await send(things.port, path, options)).toMatchObject({ status: 401 });
  });

  test.each([
    "/v1/things/",
    "/V1/things",
    "/v1//things",
    "/v1/%74hings",
    "/v1/./things",
    "/v1/x/../things",
    "/v1/things%2f",
    "/v1/things;a=1",
    "//v1/things",
    "/v1/things%00",
  ])("no spelling of a path gets past it: %s", async (path) => {
    const before = things.handled.length;
    const { status } = await send(things.port, path);
    expect([401, 404, 418]).toContain(status);
    expect(things.handled).toHaveLength(before);
  });
});

describe("combinations", () => {
  test("schemes of one requirement are all needed, requirements are alternatives", async () => {
    const run = async (path: string, headers: Record<string, string>) =>
      (await send(things.port, path, { headers })).json;
    const good = basic("user:good");
    expect(await run("/v1/both", { authorization: good, "x-key": "good" })).toEqual({
      basic: { credential: "user:good" },
      key: { credential: "good" },
    });
    expect(await run("/v1/both?key=good", {})).toEqual({ queryKey: { credential: "good" } });
    const refused = { error: { code: "unauthorized" } };
    expect(await run("/v1/both", { authorization: good })).toMatchObject(refused);
    expect(await run("/v1/both", { "x-key": "good" })).toMatchObject(refused);
    expect(await run("/v1/both", { authorization: good, "x-key": "nope" })).toMatchObject(refused);
    expect(await run("/v1/both?key=good&key=good", {})).toMatchObject(refused);
    expect(await run("/v1/both?key=", {})).toMatchObject(refused);
    expect(await run("/v1/both", { authorization: "Basic Zm9v", "x-key": "good" })).toMatchObject(refused);
  });

  test.each([
    [
      "nothing",
      {},
      "Missing credentials; expected Authorization: Basic <user:password> and header X-Key or query parameter key",
      false,
    ],
    [
      "one of two",
      { "x-key": "good" },
      "Missing credentials; also expected Authorization: Basic <user:password>",
      false,
    ],
    [
      "the other of two",
      { authorization: basic("user:good") },
      "Missing credentials; also expected header X-Key",
      false,
    ],
    [
      "two, one of them bad",
      { authorization: basic("user:good"), "x-key": "nope" },
      "The credential is malformed, unknown or no longer valid",
      true,
    ],
  ])("a message says what is missing: %s was sent", async (_, headers, message, isRefused) => {
    const asked: string[] = [];
    const own = await startThings({
      authenticate: (credential) => {
        asked.push(credential);
        return credential.endsWith("good") ? {} : undefined;
      },
    });
    try {
      expect((await send(own.port, "/v1/both", { headers })).json).toMatchObject({ error: { message } });
      // A caller without one of two credentials must not learn if the other is valid.
      expect(asked.length > 0).toBe(isRefused);
    } finally {
      await own.stop();
    }
  });

  test("an empty requirement lets the request be anonymous", async () => {
    const run = async (headers: Record<string, string>) =>
      (await send(things.port, "/v1/anyone", { headers })).json;
    expect(await run({})).toEqual({ auth: null });
    expect(await run({ authorization: "Bearer nope" })).toEqual({ auth: null });
    expect(await run({ authorization: "Bearer good" })).toEqual({ auth: { bearer: { credential: "good" } } });
  });
});

describe("an authenticator that fails", () => {
  const attempt = async (authenticate: () => unknown, options = {}) => {
    const service = await startThings({ authenticate, options });
    const answer = await send(service.port, "/v1/things", { headers: { authorization: "Bearer good" } });
    await service.stop();
    return { ...answer, failures: service.failures };
  };

  test("is a 500 with fixed text, never a 401", async () => {
    const answer = await attempt(() => Promise.reject(new Error("connect ECONNREFUSED db.internal:5432")));
    expect(answer).toMatchObject({ status: 500, json: { error: { code: "internal_error" } } });
    expect(answer.text).not.toContain("db.internal");
    expect(answer.failures).toMatchObject([{ phase: "authentication", operation: { id: "listThings" } }]);
  });

  test("is what the service says it is", async () => {
    const answer = await attempt(() => Promise.reject(new Error("away")), {
      toHttpError: () => new HttpError("unavailable", { headers: { "Retry-After": "1" } }),
    });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: "unavailable" } } });
    expect(answer.headers["retry-after"]).toBe("1");
  });

  test.each([undefined, null, false])("%s is refused as a principal", async (principal) => {
    expect(await attempt(() => principal)).toMatchObject({ status: 401 });
  });

  test.each([
    ["nobody", undefined, 401],
    ["somebody", { id: "k1" }, 200],
  ])("what can be awaited is, also where it is no Promise: %s", async (_, principal, status) => {
    // As query builders and the promises of other libraries are.
    const thenable = {
      then: (resolve: (value: unknown) => void) => {
        resolve(principal);
      },
    };
    expect(await attempt(() => thenable)).toMatchObject({ status });
  });
});
