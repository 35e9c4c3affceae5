// @fresh: the sources may not have compiled anything before its first request
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { contractUrl, operations } from "../../generated/v1/server.js";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { sendRaw, type Answer } from "../support/http.js";
import { startPetStore, type Call, type PetStore } from "../support/petstore.js";

/*
 * express-openapi-validator alone, on Express 5, leaves gaps between a contract and the service that serves it. Here each
 * is shown to be closed on this service, or not to apply to it.
 */

/** How often code was generated from text since the start of this file; Ajv compiles each schema with `new Function`. */
let compiled = 0;
const NativeFunction = globalThis.Function;
const NativeRegExp = globalThis.RegExp;
/** Sources of the regular expressions that were built from text while this is a list. */
let expressions: string[] | undefined;

let store: PetStore;
let id: number;
let compiledAtStart: number;
let expressionsAtStart: number;
beforeAll(async () => {
  globalThis.Function = new Proxy(NativeFunction, {
    construct(target, parameters, newTarget) {
      compiled += 1;
      return Reflect.construct(target, parameters, newTarget) as object;
    },
    apply(target, self, parameters) {
      compiled += 1;
      return Reflect.apply(target, self, parameters) as unknown;
    },
  });
  globalThis.RegExp = new Proxy(NativeRegExp, {
    construct(target, parameters, newTarget) {
      // `expect` copies some that exist; those are no text.
      if (typeof parameters[0] === "string") expressions?.push(parameters[0]);
      return Reflect.construct(target, parameters, newTarget) as object;
    },
  });
  expressions = [];
  store = await startPetStore();
  compiledAtStart = compiled;
  expressionsAtStart = expressions.length;
  expressions = undefined;
});
afterAll(async () => {
  globalThis.Function = NativeFunction;
  globalThis.RegExp = NativeRegExp;
  await store.stop();
});

const json = { "content-type": "application/json" };
const post = (body: string | Buffer, options: Call = {}): Promise<Answer> =>
  store.call("/v1/pets", { method: "POST", body, ...options, headers: { ...json, ...options.headers } });
const codeOf = (answer: Answer): unknown => (answer.json as { code?: unknown }).code;

// First of all, so that the requests are the first ones.
describe("gap 8a: validators are compiled by the first request, and a broken contract starts", () => {
  async function callAll(service: PetStore): Promise<number> {
    for (const { method, path } of operations) {
      await service.call(`/v1${path.replace("{petId}", "1")}`, { method: method.toUpperCase() });
    }
    const pet = await service.create({ name: "Rex", categoryId: 1, status: "sold" });
    await service.call("/v1/pets?status=sold&limit=7&cursor=x");
    await service.call(`/v1/pets/${pet.id}`);
    await service.call("/v1/pets", { method: "POST", body: '{"name":1}', headers: json });
    await service.call("/nope");
    return pet.id;
  }

  test("here no request compiles anything, the first included", async () => {
    const unvalidated = await startPetStore({ env: { RESPONSE_VALIDATION: "off" } });
    const before = compiled;
    expressions = [];
    await callAll(unvalidated);
    const seen = expressions;
    expressions = undefined;
    expect(compiled).toBe(before);
    expect(seen).toStrictEqual([]);
    await unvalidated.stop();
  });

  test("the schemas of a response are compiled with the first one, and never again", async () => {
    expect(compiledAtStart).toBeGreaterThanOrEqual(operations.length);
    expect(expressionsAtStart).toBeGreaterThan(0);
    id = await callAll(store);
    expect(compiled).toBeGreaterThan(compiledAtStart);
    const before = compiled;
    await callAll(store);
    expect(compiled).toBe(before);
  });
  // That a broken contract does not start is in start.test.ts.
});

describe("gap 1: Infinity and other spellings pass as integers, past the bounds", () => {
  const spellings = [
    "Infinity",
    "-Infinity",
    "NaN",
    "1e400",
    "1e3",
    "1e1",
    "0x10",
    "0b1",
    "01",
    "1.0",
    "%205",
    "5%20",
    "+5",
    "1_0",
    "٣",
  ];
  test.each(spellings)("%s is neither a limit nor a petId", async (text) => {
    const value = encodeURI(decodeURI(text));
    for (const path of [`/v1/pets?limit=${value}`, `/v1/pets/${value}`]) {
      const answer = await store.call(path);
      expect([path, answer.status, codeOf(answer)]).toStrictEqual([path, 400, "invalid_parameter"]);
    }
  });
});

describe("gap 2: integers beyond 2^53 are rounded in silence", () => {
  test.each(["9007199254740992", "9007199254740993", "9223372036854775807", "-9007199254740993"])(
    "%s is refused in path, query and body",
    async (integer) => {
      for (const path of [`/v1/pets/${integer}`, `/v1/pets?limit=${integer}`]) {
        expect((await store.call(path)).status).toBe(400);
      }
      expect((await post(`{"name":"n","categoryId":${integer}}`)).status).toBe(400);
    },
  );

  test.each(["9007199254740991", "-9007199254740991"])("%s is kept as it is", async (integer) => {
    const created = await post(`{"name":"n","categoryId":${integer}}`);
    expect(created.status).toBe(201);
    const read = await store.call(`/v1/pets/${(created.json as { id: number }).id}`);
    expect(read.text).toContain(`"categoryId":${integer}`);
  });

  test.each(["1.0000000000000000001", "0.9999999999999999999", "1e-400", "1e400"])(
    "%s would become another integer and is refused",
    async (number) => {
      expect((await post(`{"name":"n","categoryId":${number}}`)).status).toBe(400);
    },
  );
});

describe("gap 3: any bearer passes without a handler, Basic bearer reaches it, a handler's failure is a 401 that tells", () => {
  test.each(["Bearer anything", "Basic bearer", "Basic bearer x", "xbearer x", "Digest bearer=x"])(
    "%s is 401 and tells nothing",
    async (authorization) => {
      const answer = await store.call("/v1/pets", { key: null, headers: { authorization } });
      expect([answer.status, codeOf(answer)]).toStrictEqual([401, "unauthorized"]);
    },
  );
  // That a key store that fails is a 5xx is in failures.test.ts.
});

describe("gap 4: the body is read and parsed before the caller is known", () => {
  test.each([
    ["one that is not JSON", "{", {}],
    ["one that is too large", "x".repeat(200_000), {}],
    ["one of another type", "x", { "content-type": "text/plain" }],
  ])("%s is 401 from a stranger", async (_, body, headers) => {
    expect(await post(body, { key: null, headers })).toMatchObject({ status: 401 });
  });

  test("a stranger is answered before the body arrives", async () => {
    const answer = await sendRaw(
      store.port,
      "POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{",
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe("gap 5: HEAD and OPTIONS are 405, Allow and WWW-Authenticate are missing, 404 is HTML", () => {
  test("HEAD and OPTIONS are answered on every path", async () => {
    for (const path of ["/v1/pets", `/v1/pets/${id}`]) {
      expect(await store.call(path, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
      const options = await store.call(path, { method: "OPTIONS" });
      expect([options.status, options.headers.allow]).toStrictEqual([204, expect.stringContaining("HEAD")]);
    }
  });

  test("405 has Allow, 401 has WWW-Authenticate", async () => {
    const wrong = await store.call("/v1/pets", { method: "PATCH" });
    expect([wrong.status, wrong.headers.allow]).toStrictEqual([405, "GET, HEAD, OPTIONS, POST"]);
    const stranger = await store.call("/v1/pets", { key: null });
    expect(stranger.headers["www-authenticate"]).toMatch(/^Bearer /);
  });

  test.each(["/", "/nope", "/v1", "/v1/nope", "/v2/pets", "/docs/nope", "/openapi.xml"])(
    "%s is 404 in JSON",
    async (path) => {
      const answer = await store.call(path);
      expect([answer.status, codeOf(answer)]).toStrictEqual([404, "not_found"]);
    },
  );
});

describe("gap 6: some path templates never match, ordinary query values are refused", () => {
  test("no such template is in this contract; that they match is tested with the runtime", () => {
    const awkward = operations.filter(({ path }) => /\{[^}]*-[^}]*\}|\}[^/]/.test(path));
    expect(awkward).toStrictEqual([]);
  });

  // The one free text in the query is the cursor: its own check, after the validator, must be what refuses it.
  test.each(["a+b", "it's", "10:30", "a,b", "a/b?c", "x@y;z", "(1)", "$!*"])(
    "%s is an ordinary value",
    async (value) => {
      expect(await store.call(`/v1/pets?cursor=${value}`)).toMatchObject({
        status: 400,
        json: { message: expect.stringContaining("must come from a Link header of this service") as unknown },
      });
    },
  );
});

describe("gap 7: response headers and undeclared types go unchecked, only the first error is told", () => {
  test("every wrong value is told", async () => {
    const { message } = (await post('{"status":"lost"}')).json as { message: string };
    for (const field of ["name", "categoryId", "status"]) expect(message).toContain(`"${field}"`);
  });

  test.each([
    "text/plain",
    "application/xml",
    "application/json-patch+json",
    "multipart/form-data; boundary=x",
  ])("a body of type %s is 415", async (type) => {
    const answer = await post('{"name":"n","categoryId":1}', { headers: { "content-type": type } });
    expect([answer.status, codeOf(answer)]).toStrictEqual([415, "unsupported_media_type"]);
  });

  test("answers are of the declared type, and cookies are no part of this contract", async () => {
    for (const path of ["/v1/pets", `/v1/pets/${id}`]) {
      const answer = await store.call(path, { headers: { cookie: "limit=x; status=%zz" } });
      expect([answer.status, answer.headers["content-type"]]).toStrictEqual([200, "application/json"]);
    }
    const document = JSON.parse(readFileSync(contractUrl, "utf8")) as Readonly<Record<string, unknown>>;
    const { operations: declared } = buildContract(document);
    expect(declared.flatMap(({ parameters }) => parameters.map((parameter) => parameter.in))).not.toContain(
      "cookie",
    );
  });
});

describe("gap 8b: handlers see path parameters as text", () => {
  test("here as the number that the contract says", async () => {
    const { json: pet } = await store.call(`/v1/pets/${id}`);
    expect(pet).toMatchObject({ id });
    expect((await store.call("/v1/pets/4711")).json).toMatchObject({ message: "No pet has the id 4711" });
  });
});

describe("gap 9: every path's pattern is compiled on every request", () => {
  beforeEach(() => {
    expressions = [];
  });
  afterEach(() => {
    expressions = undefined;
  });

  test("here none is, on no path", async () => {
    for (const path of ["/v1/pets", `/v1/pets/${id}`, "/v1/store/orders", "/v1/nope"]) await store.call(path);
    expect(expressions).toStrictEqual([]);
  });
});

describe("gap 10: NUL, lone surrogates, duplicate members and invalid UTF-8 are accepted", () => {
  test.each<[string, string | Buffer]>([
    ["NUL", '{"name":"a\\u0000b","categoryId":1}'],
    ["NUL in a name", '{"name":"a","categoryId":1,"x\\u0000":1}'],
    ["a lone high surrogate", '{"name":"\\ud83d","categoryId":1}'],
    ["a lone low surrogate", '{"name":"\\udc08","categoryId":1}'],
    ["surrogates the wrong way round", '{"name":"\\udc08\\ud83d","categoryId":1}'],
    ["a member twice", '{"name":"a","name":"b","categoryId":1}'],
    ["a member twice, once escaped", '{"name":"a","n\\u0061me":"b","categoryId":1}'],
    ["a member twice, deep in what is ignored", '{"name":"a","categoryId":1,"x":[{"y":1,"y":1}]}'],
    ["invalid UTF-8", Buffer.from('{"name":"\xff","categoryId":1}', "latin1")],
    ["overlong UTF-8", Buffer.from('{"name":"\xc0\xaf","categoryId":1}', "latin1")],
    ["a surrogate in UTF-8", Buffer.from('{"name":"\xed\xa0\x80","categoryId":1}', "latin1")],
    ["UTF-16", Buffer.from('{"name":"a","categoryId":1}', "utf16le")],
  ])("%s in a body is 400", async (_, body) => {
    const answer = await post(body);
    expect([answer.status, codeOf(answer)]).toStrictEqual([400, "malformed_json"]);
  });

  test("a pair of surrogates is a character", async () => {
    const created = await post('{"name":"\\ud83d\\udc08","categoryId":1}');
    expect(created).toMatchObject({ status: 201, json: { name: "🐈" } });
  });

  test.each([
    "/v1/pets?status=%00",
    "/v1/pets?cursor=a%00",
    "/v1/pets/%00",
    "/v1/pets/%ff",
    "/v1/pets?cursor=%ed%a0%80",
  ])("%s is 400", async (path) => {
    expect((await store.call(path)).status).toBe(400);
  });
});
