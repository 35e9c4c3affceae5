import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startPetStore, type PetJson, type PetStore } from "../support/petstore.js";
import { describeEngines } from "./store/engines.js";

const MAX = 9007199254740991;

describeEngines((engine) => {
  let store: PetStore;
  beforeAll(async () => {
    store = await startPetStore({ env: { DATABASE_URL: await engine.create() } });
  });
  afterAll(() => store.stop());

  const code = (answer: { json: unknown }): unknown => (answer.json as { code?: unknown } | undefined)?.code;

  describe("createPet", () => {
    test.each([
      ["all fields", { name: "Rex", categoryId: 1, status: "available" }],
      ["no status: it stays omitted", { name: "Tom", categoryId: 2 }],
      ["status pending", { name: "Pen", categoryId: 3, status: "pending" }],
      ["status sold", { name: "Sol", categoryId: 3, status: "sold" }],
      ["text of every kind", { name: "ŷ 🐈‍⬛ \"'`;--<b>\u2028\\", categoryId: 0 }],
      ["an empty name", { name: "", categoryId: 0 }],
      ["the largest categoryId", { name: "n", categoryId: MAX }],
      ["the smallest categoryId", { name: "n", categoryId: -MAX }],
    ])("%s", async (_, pet) => {
      const created = await store.call("/v1/pets", { json: pet });
      expect(created.status).toBe(201);
      const { id } = created.json as PetJson;
      expect(created.json).toStrictEqual({ id, ...pet });
      expect(await store.call(`/v1/pets/${id}`)).toMatchObject({ status: 200, text: created.text });
    });

    test("ids are assigned, whatever the caller sends as one, and grow", async () => {
      const first = await store.create({ id: 1_000_000, name: "a", categoryId: 1 });
      const second = await store.create({ id: first.id, name: "b", categoryId: 1 });
      expect(first.id).toBeLessThan(1_000_000);
      expect(second.id).toBeGreaterThan(first.id);
    });

    test("undeclared members are ignored and never stored", async () => {
      const body = '{"name":"x","categoryId":1,"owner":"me","__proto__":{"status":"sold"},"constructor":1}';
      const headers = { "content-type": "application/json" };
      const created = await store.call("/v1/pets", { method: "POST", headers, body });
      const { id } = created.json as PetJson;
      expect(created.json).toStrictEqual({ id, name: "x", categoryId: 1 });
      expect((await store.call(`/v1/pets/${id}`)).json).toStrictEqual({ id, name: "x", categoryId: 1 });
    });

    test.each([
      ['{"categoryId":1}', "name"],
      ['{"name":"x"}', "categoryId"],
      ["{}", "name"],
      ['{"name":null,"categoryId":1}', "name"],
      ['{"name":5,"categoryId":1}', "name"],
      ['{"name":["x"],"categoryId":1}', "name"],
      ['{"name":"x","categoryId":"1"}', "categoryId"],
      ['{"name":"x","categoryId":1.5}', "categoryId"],
      ['{"name":"x","categoryId":null}', "categoryId"],
      ['{"name":"x","categoryId":true}', "categoryId"],
      ['{"name":"x","categoryId":9007199254740992}', "categoryId"],
      ['{"name":"x","categoryId":-9007199254740992}', "categoryId"],
      ['{"name":"x","categoryId":9223372036854775807}', "categoryId"],
      ['{"name":"x","categoryId":9223372036854775808}', "categoryId"],
      ['{"name":"x","categoryId":1,"status":"lost"}', "status"],
      ['{"name":"x","categoryId":1,"status":"Sold"}', "status"],
      ['{"name":"x","categoryId":1,"status":""}', "status"],
      ['{"name":"x","categoryId":1,"status":null}', "status"],
      ["[]", "body"],
      ["null", "body"],
      ['"x"', "body"],
      ["", "body"],
    ])("%s is 400 and the message names %s", async (body, named) => {
      const headers = { "content-type": "application/json" };
      const answer = await store.call("/v1/pets", { method: "POST", headers, body });
      expect(answer).toMatchObject({
        status: 400,
        json: { code: "invalid_body", message: expect.stringContaining(named) as unknown },
      });
    });

    test.each([
      "{",
      "{'name':'x'}",
      '{"name":"x","categoryId":1,}',
      '{"name":"x","categoryId":01}',
      '{"name":"x","categoryId":1e400}',
      '{"name":"x","categoryId":1.00000000000000000001}',
      '{"name":"x","categoryId":1,"categoryId":2}',
      '{"name":"a\\u0000b","categoryId":1}',
      '{"name":"\\udc00","categoryId":1}',
      '{"name":"x","categoryId":NaN}',
      `{"name":"x","categoryId":1,"deep":${"[".repeat(1000)}${"]".repeat(1000)}}`,
      "\ufeff{}",
    ])("%s is 400 malformed_json", async (body) => {
      const headers = { "content-type": "application/json" };
      const answer = await store.call("/v1/pets", { method: "POST", headers, body });
      expect([answer.status, code(answer)]).toStrictEqual([400, "malformed_json"]);
    });

    test("a body that is refused adds nothing", async () => {
      const before = await store.create({ name: "before", categoryId: 1 });
      await store.call("/v1/pets", { json: { name: "x" } });
      await store.call("/v1/pets", { json: { name: "x", categoryId: 1 }, key: null });
      const after = await store.create({ name: "after", categoryId: 1 });
      expect(after.id).toBe(before.id + 1);
    });

    test("a query parameter is unknown here", async () => {
      const answer = await store.call("/v1/pets?limit=1", { json: { name: "x", categoryId: 1 } });
      expect([answer.status, code(answer)]).toStrictEqual([400, "invalid_parameter"]);
    });
  });

  describe("getPet", () => {
    test.each(["0", "-1", String(MAX), String(-MAX), "4711000"])("%s is 404", async (id) => {
      const answer = await store.call(`/v1/pets/${id}`);
      expect([answer.status, code(answer)]).toStrictEqual([404, "pet_not_found"]);
    });

    test.each([
      "x",
      "1.0",
      "1e0",
      "01",
      "+1",
      "-0",
      "%201",
      "0x1",
      "Infinity",
      "NaN",
      "true",
      "1,2",
      "1%00",
      "1%2F",
      "9007199254740992",
      "-9007199254740992",
      "9223372036854775807",
      "9".repeat(400),
      "__proto__",
    ])("%s is 400", async (id) => {
      const answer = await store.call(`/v1/pets/${id}`);
      expect([answer.status, code(answer)]).toStrictEqual([400, "invalid_parameter"]);
    });

    test("an escaped digit is the digit, and a query parameter is unknown", async () => {
      const { id } = await store.create({ name: "x", categoryId: 1 });
      const escaped = String(id).replace(/\d/g, "%3$&");
      expect(await store.call(`/v1/pets/${escaped}`)).toMatchObject({ status: 200, json: { id } });
      expect(await store.call(`/v1/pets/${id}?status=sold`)).toMatchObject({ status: 400 });
    });
  });

  describe("listPets", () => {
    test.each([
      "limit=0",
      "limit=101",
      "limit=-1",
      "limit=",
      "limit=1.0",
      "limit=1e1",
      "limit=0x10",
      "limit=+5",
      "limit=%205",
      "limit=05",
      "limit=Infinity",
      "limit=1e400",
      "limit=9007199254740993",
      "limit=ten",
      "limit=5&limit=6",
      "limit[]=5",
      "status=lost",
      "status=Available",
      "status=",
      "status=sold&status=sold",
      "status=available,sold",
      "status=a%00b",
      "colour=red",
      "Limit=5",
      "__proto__=1",
      "offset=0",
    ])("?%s is 400", async (query) => {
      const answer = await store.call(`/v1/pets?${query}`);
      expect([answer.status, code(answer)]).toStrictEqual([400, "invalid_parameter"]);
    });

    test.each(["", "?", "?&", "?limit=1", "?limit=100", "?%6cimit=5&", "?status=%73old"])(
      "/pets%s is 200",
      async (query) => {
        expect(await store.call(`/v1/pets${query}`)).toMatchObject({ status: 200 });
      },
    );
  });

  describe("authentication", () => {
    const operations: readonly [string, string][] = [
      ["GET", "/v1/pets"],
      ["HEAD", "/v1/pets"],
      ["POST", "/v1/pets"],
      ["GET", "/v1/pets/1"],
      ["HEAD", "/v1/pets/1"],
      ["GET", "/v1/store/orders"],
    ];

    test.each(operations)("%s %s without a key is 401 with a challenge", async (method, path) => {
      const answer = await store.call(path, { method, key: null });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="Pet Store Service"');
      expect(code(answer)).toBe(method === "HEAD" ? undefined : "unauthorized");
    });

    test.each([
      ["no scheme", (key: string) => key],
      ["another scheme", (key: string) => `Basic ${key}`],
      ["another scheme that names ours", (key: string) => `Basic bearer ${key}`],
      ["no key", () => "Bearer"],
      ["a blank key", () => "Bearer "],
      ["two keys", (key: string) => `Bearer ${key} ${key}`],
      ["two blanks", (key: string) => `Bearer  ${key}`],
      ["a comma", (key: string) => `Bearer ${key},`],
      ["an unknown key", () => "Bearer nobody"],
      ["a key with another last character", (key: string) => `Bearer ${key.slice(0, -1)}!`],
      ["a key that is cut short", (key: string) => `Bearer ${key.slice(0, -1)}`],
      ["a huge key", () => `Bearer ${"a".repeat(8000)}`],
      ["SQL", () => "Bearer ' or 1=1 --"],
    ])("%s is 401 invalid_token", async (_, toHeader) => {
      const headers = { authorization: toHeader(store.key) };
      const answer = await store.call("/v1/pets", { key: null, headers });
      expect([answer.status, code(answer)]).toStrictEqual([401, "unauthorized"]);
      expect(answer.headers["www-authenticate"]).toBe(
        'Bearer realm="Pet Store Service", error="invalid_token"',
      );
    });

    test("the scheme's case does not matter; a second header makes both void", async () => {
      const lower = { authorization: `bearer ${store.key}` };
      expect(await store.call("/v1/pets", { key: null, headers: lower })).toMatchObject({ status: 200 });
      const twice = { authorization: [`Bearer ${store.key}`, `Bearer ${store.key}`] };
      expect(await store.call("/v1/pets", { key: null, headers: twice })).toMatchObject({ status: 401 });
    });

    test("a key in the query is no key", async () => {
      expect(await store.call(`/v1/pets?access_token=${store.key}`, { key: null })).toMatchObject({
        status: 401,
      });
    });

    test("who has no key learns neither what exists nor what is wrong", async () => {
      const { id } = await store.create({ name: "x", categoryId: 1 });
      for (const path of [`/v1/pets/${id}`, "/v1/pets/4711000", "/v1/pets/x", "/v1/pets?limit=0"]) {
        expect(await store.call(path, { key: null })).toMatchObject({ status: 401 });
      }
      expect(await store.call("/v1/pets", { json: "not a pet", key: null })).toMatchObject({ status: 401 });
    });
  });

  describe("listOrders", () => {
    test("exists, and says that it is not implemented", async () => {
      const answer = await store.call("/v1/store/orders");
      expect([answer.status, code(answer)]).toStrictEqual([501, "not_implemented"]);
    });
  });

  describe("methods and paths", () => {
    test.each([
      ["PUT", "/v1/pets", "GET, HEAD, OPTIONS, POST"],
      ["DELETE", "/v1/pets/1", "GET, HEAD, OPTIONS"],
      ["PATCH", "/v1/pets/1", "GET, HEAD, OPTIONS"],
      ["POST", "/v1/pets/1", "GET, HEAD, OPTIONS"],
      ["POST", "/v1/store/orders", "GET, HEAD, OPTIONS"],
      ["TRACE", "/v1/pets", "GET, HEAD, OPTIONS, POST"],
    ])("%s %s is 405 with Allow", async (method, path, allow) => {
      const answer = await store.call(path, { method });
      expect([answer.status, code(answer)]).toStrictEqual([405, "method_not_allowed"]);
      expect(answer.headers.allow).toBe(allow);
      const options = await store.call(path, { method: "OPTIONS", key: null });
      expect([options.status, options.headers.allow, options.text]).toStrictEqual([204, allow, ""]);
    });

    test.each([
      "/",
      "/pets",
      "/v1",
      "/v1/",
      "/v1/pets/",
      "/v1/pets//",
      "/v1//pets",
      "/V1/pets",
      "/v1/Pets",
      "/v1/pets/1/",
      "/v1/pets/1/toys",
      "/v1/pets/../pets",
      "/v1/store",
      "/v1/store/orders/1",
      "/v2/pets",
      "/healthz/",
      "/HEALTHZ",
      "/%zz",
      "/__proto__",
    ])("%s is 404", async (path) => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await store.call(path, { method });
        expect([method, answer.status, code(answer)]).toStrictEqual([method, 404, "not_found"]);
      }
    });

    test.each(["/v1/pets", "/v1/pets/1", "/v1/pets/x", "/v1/pets/4711000", "/v1/store/orders", "/v1/nope"])(
      "HEAD %s is GET without the body",
      async (path) => {
        const head = await store.call(path, { method: "HEAD" });
        const get = await store.call(path);
        const lasting = ({ headers }: typeof get): object => ({
          ...headers,
          date: undefined,
          "x-request-id": undefined,
        });
        expect([head.status, lasting(head), head.text]).toStrictEqual([get.status, lasting(get), ""]);
      },
    );

    test("nothing tells what the service is built with, and nothing may be cached", async () => {
      for (const path of ["/v1/pets", "/v1/nope", "/nope", "/healthz"]) {
        const { headers } = await store.call(path);
        expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
        expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["x-powered-by"]));
        expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["server"]));
      }
    });
  });
});
