import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readPreferences, takePreferences } from "../../../src/cli/mock/preferences.js";
import { type Answer, send } from "../../support/http.js";
import { serve, type TestMock, toRouted } from "./serve.js";

const json = (schema: object, examples: object) => ({ "application/json": { schema, ...examples } });
const pet = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, name: { type: "string" } },
};
const problem = {
  type: "object",
  required: ["code", "message"],
  properties: { code: { type: "string" }, message: { type: "string" } },
};

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "/v1" }],
  security: [{ key: [] }, { bearer: [] }, { basic: [] }, { certificate: [], key: [] }],
  paths: {
    "/pets/{id}": {
      get: {
        operationId: "getPet",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: {
          "404": {
            description: "no",
            content: json(problem, {
              examples: { unknown: { value: { code: "unknown", message: "No such pet" } } },
            }),
          },
          "200": {
            description: "ok",
            headers: {
              "X-Total": { required: true, schema: { type: "integer", minimum: 3, maximum: 9 } },
              Link: { schema: { type: "string" } },
            },
            content: {
              ...json(pet, {
                examples: {
                  bad: { value: { id: "one" } },
                  cat: { $ref: "#/components/examples/Cat" },
                  dog: { value: { id: 2 } },
                },
              }),
              "text/csv": { schema: { type: "string" }, example: "id\n1\n" },
              "image/*": {},
            },
          },
          "202": { description: "later" },
          "5XX": { description: "failed", content: json(problem, {}) },
          default: { description: "other", content: json(problem, {}) },
        },
      },
      delete: {
        operationId: "deletePet",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: { "204": { description: "done" } },
      },
    },
  },
  components: {
    examples: { Cat: { value: { id: 1, name: "Tom" } } },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      bearer: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
      certificate: { type: "mutualTLS" },
    },
  },
};

let mock: TestMock;
beforeAll(async () => {
  mock = await serve(toRouted(DOCUMENT));
});
afterAll(() => mock.stop());

const get = (query = "", headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send(mock.port, `/v1/pets/7${query}`, { headers: { "X-Key": "any", ...headers } });
const prefer = (preference: string): Promise<Answer> => get("", { Prefer: preference });

describe("an answer is", () => {
  test("the first valid example of the lowest success, marked", async () => {
    const { status, headers, json: body } = await get();
    expect([status, body]).toEqual([200, { id: 1, name: "Tom" }]);
    expect(headers["tenon-mock"]).toBe("true");
    expect(Number(headers["x-total"])).toBeGreaterThanOrEqual(3);
    expect(headers["link"]).toBeUndefined();
  });

  test("what Accept asks for", async () => {
    expect((await get("", { Accept: "text/csv" })).text).toBe("id\n1\n");
    const picture = await get("", { Accept: "image/png" });
    expect(picture.headers["content-type"]).toBe("image/png");
    expect(picture.bytes.subarray(1, 4).toString()).toBe("PNG");
    expect((await get("", { Accept: "application/pdf" })).status).toBe(406);
  });

  test("the same for the same request and seed, and another one for another", async () => {
    const other = await serve(toRouted(DOCUMENT), { dynamic: true });
    const again = await serve(toRouted(DOCUMENT), { dynamic: true });
    const third = await serve(toRouted(DOCUMENT), { dynamic: true, seed: "2" });
    const ask = async ({ port }: TestMock) =>
      (await send(port, "/v1/pets/7", { headers: { "X-Key": "any" } })).text;
    try {
      const first = await ask(other);
      expect(await ask(again)).toBe(first);
      expect(await ask(third)).not.toBe(first);
      expect(await ask(other)).not.toBe(first);
    } finally {
      await Promise.all([other, again, third].map((one) => one.stop()));
    }
  });

  test("not an example that is not valid, of which its place is told", () => {
    expect(mock.bad).toEqual([
      {
        operation: expect.objectContaining({ id: "getPet" }) as unknown,
        pointer: "#/paths/~1pets~1{id}/get/responses/200/content/application~1json/examples/bad/value",
        problems: ["/id must be an integer"],
      },
    ]);
  });
});

test("a long value with spaces in it takes steps in proportion to its length", () => {
  // With steps in proportion to the square, this would take half a minute.
  expect(readPreferences(`seed=a${" ".repeat(100_000)}b, code=404`)).toMatchObject({ code: 404 });
  expect(readPreferences(`seed = a ;x, code="404" `)).toMatchObject({ seed: "a", code: 404 });
});

describe("Prefer chooses", () => {
  test("a status by its code, its range or the default", async () => {
    expect((await prefer("code=404")).json).toEqual({ code: "unknown", message: "No such pet" });
    expect(await prefer("code=202")).toMatchObject({ status: 202, text: "" });
    expect(await prefer("code=503")).toMatchObject({
      status: 503,
      json: { code: expect.any(String) as unknown },
    });
    expect(await prefer("code=418")).toMatchObject({
      status: 418,
      json: { code: expect.any(String) as unknown },
    });
    expect((await prefer("code=404")).headers["tenon-mock"]).toBe("true");
  });

  test("an example by its name", async () => {
    expect((await prefer("example=dog")).json).toEqual({ id: 2 });
    expect((await prefer('code=200, example="cat"')).json).toEqual({ id: 1, name: "Tom" });
    expect((await get("", { Prefer: "example=default", Accept: "text/csv" })).text).toBe("id\n1\n");
  });

  test("what is made up", async () => {
    const made = await prefer("dynamic=true");
    expect(made.json).not.toEqual({ id: 1, name: "Tom" });
    expect((await prefer("dynamic=true, seed=a")).text).toBe((await prefer("seed=a, dynamic=true")).text);
    expect((await prefer("dynamic=true, seed=a")).text).not.toBe((await prefer("dynamic=true, seed=b")).text);
    expect((await prefer("dynamic=false")).json).toEqual({ id: 1, name: "Tom" });
  });

  test("the same by the query, which the header wins over as a whole", async () => {
    expect((await get("?__code=404")).status).toBe(404);
    expect((await get("?__example=dog&__code=200")).json).toEqual({ id: 2 });
    expect((await get("?__code=404", { Prefer: "example=dog" })).json).toEqual({ id: 2 });
  });

  test("not what there is not", async () => {
    const unknown = await send(mock.port, "/v1/pets/7", {
      method: "DELETE",
      headers: { "X-Key": "any", Prefer: "code=404" },
    });
    expect(unknown.status).toBe(404);
    expect(unknown.text).toMatch(/declares no response 404; it has 204/);
    const example = await prefer("example=bird");
    expect(example.status).toBe(404);
    expect(example.json).toMatchObject({
      message: 'The response has no example "bird"; it has bad, cat, dog',
    });
    expect((await prefer("code=202, example=dog")).status).toBe(404);
    expect((await prefer("example=bad")).text).toMatch(/not valid and is not sent: .*id must be an integer/);
    expect((await prefer("code=99")).status).toBe(400);
    expect((await prefer("dynamic=maybe")).status).toBe(400);
  });

  test("nothing for a request that is not valid", async () => {
    const answer = await send(mock.port, "/v1/pets/seven?__code=202", { headers: { "X-Key": "any" } });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      code: "invalid_parameter",
      message: expect.stringMatching(/"id"/) as unknown,
    });
    expect((await get("?unknown=1")).status).toBe(400);
  });
});

describe("an error has its own status and problems, where", () => {
  const item = {
    type: "object",
    required: ["pointer", "detail"],
    properties: { pointer: { type: "string" }, detail: { type: "string" } },
  };
  const failure = (errors: object, required: readonly string[] = []) => ({
    type: "object",
    required: ["status", ...required],
    properties: { status: { type: "integer", examples: [404] }, errors: { type: "array", ...errors } },
  });
  const ask = async (schema: object, query = "", headers: Readonly<Record<string, string>> = {}) => {
    const error = { description: "failed", content: json(schema, {}) };
    const contract = toRouted({
      openapi: "3.1.0",
      info: { title: "Notes", version: "1" },
      paths: {
        "/notes": {
          get: {
            operationId: "listNotes",
            parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
            responses: { "204": { description: "ok" }, "409": error, default: error },
          },
        },
      },
    });
    const server = await serve(contract);
    try {
      return (await send(server.port, `/notes${query}`, { headers })).json;
    } finally {
      await server.stop();
    }
  };

  test("its list has a known form", async () => {
    expect(await ask(failure({ items: item }), "?limit=10")).toEqual({
      status: 400,
      errors: [{ pointer: "#/limit", detail: "must be at most 9" }],
    });
    expect(await ask(failure({ items: { type: "string" } }), "?limit=10")).toEqual({
      status: 400,
      errors: ["query.limit must be at most 9"],
    });
  });

  test("its list has a form of its own, or nothing in the request is invalid", async () => {
    const own = { items: { type: "object", required: ["n"], properties: { n: { type: "integer" } } } };
    expect(await ask(failure(own), "?limit=10")).toEqual({ status: 400 });
    expect(await ask(failure(own, ["errors"]), "?limit=10")).toEqual({ status: 400, errors: [] });
    expect(await ask(failure({ items: item }), "?__example=none")).toEqual({ status: 404 });
  });

  test("a request asks for it", async () => {
    expect(await ask(failure({ items: item }), "", { Prefer: "code=409" })).toMatchObject({ status: 409 });
    expect(
      await ask({ type: "object", properties: { error: failure({}) }, required: ["error"] }, "?__code=503"),
    ).toMatchObject({ error: { status: 503 } });
  });
});

test("the page that a cursor names is the last one", async () => {
  const page = (required: readonly string[], nextCursor: object) => ({
    type: "object",
    required: ["items", ...required],
    properties: {
      items: { type: "array", items: { type: "integer" } },
      nextCursor: { ...nextCursor, examples: ["b"] },
      pagination: { type: "object", required: ["hasMore"], properties: { hasMore: { const: true } } },
      meta: {
        type: "object",
        required: ["has_more"],
        properties: { next: { type: "string" }, has_more: { type: "boolean", examples: [true] } },
      },
    },
  });
  const schemas = [
    page([], { type: "string" }),
    page(["nextCursor"], { type: ["string", "null"] }),
    page(["nextCursor"], { type: "string" }),
  ];
  const toPath = (schema: object, index: number) => ({
    operationId: `list${index}`,
    parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }],
    responses: {
      "200": {
        description: "ok",
        headers: {
          Link: { required: index === 2, schema: { type: "string" }, example: '<?cursor=b>; rel="next"' },
        },
        content: json(schema, {}),
      },
    },
  });
  const contract = toRouted({
    openapi: "3.1.0",
    info: { title: "Pages", version: "1" },
    paths: Object.fromEntries(schemas.map((schema, index) => [`/${index}`, { get: toPath(schema, index) }])),
  });
  const server = await serve(contract);
  const load = async (path: string) => (await send(server.port, path)).json as Record<string, unknown>;
  try {
    expect(await load("/0")).toMatchObject({ nextCursor: "b", meta: { has_more: true } });
    const last = await load("/0?cursor=b");
    expect(last).not.toHaveProperty("nextCursor");
    expect(last["pagination"]).toEqual({ hasMore: true });
    expect(last["meta"]).toEqual({ has_more: false });
    expect(await load("/1?cursor=b")).toMatchObject({ nextCursor: null });
    const fixed = await send(server.port, "/2?cursor=b");
    expect(fixed.json).toMatchObject({ nextCursor: "b" });
    expect(fixed.headers["link"]).toMatch(/next/);
  } finally {
    await server.stop();
  }
});

describe("any credential is good that has the declared form", () => {
  test.each([
    [{ "X-Key": "whatever" }, 200],
    [{ Authorization: "Bearer abc" }, 200],
    [{ Authorization: "Basic dXNlcjpwYXNz" }, 200],
    [{ Authorization: "Basic !" }, 401],
    [{}, 401],
  ])("%j gets %d", async (headers, want) => {
    expect((await send(mock.port, "/v1/pets/7", { headers: { ...headers } })).status).toBe(want);
  });
});

describe("what a Prefer header says", () => {
  test.each([
    [undefined, {}],
    ["", {}],
    ["respond-async, wait=10", {}],
    ["code=404", { code: 404 }],
    ["Code = 404 ; strict, EXAMPLE=a", { code: 404, example: "a" }],
    ['example="a, \\"b\\"", dynamic=true', { example: 'a, "b"', dynamic: true }],
    ["code=404, code=500", { code: 404 }],
    ["seed=x=y", { seed: "x=y" }],
  ])("%j", (header, want) => {
    expect(readPreferences(header)).toEqual(want);
  });

  test("is taken out of a query, and nothing else", () => {
    expect(takePreferences("/a?b=1&__code=404&c=%20&__example=x+y")).toEqual({
      target: "/a?b=1&c=%20",
      prefer: 'code="404", example="x y"',
    });
    expect(takePreferences("/a?__dynamic=true")).toEqual({ target: "/a", prefer: 'dynamic="true"' });
    expect(takePreferences("/a?__codes=1")).toBeUndefined();
    expect(takePreferences("/a")).toBeUndefined();
  });
});
