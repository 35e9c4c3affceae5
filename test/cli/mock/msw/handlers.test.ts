import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { getResponse, HttpResponse } from "msw";
import { setupServer, type SetupServer } from "msw/node";
import { createClient } from "../../../../generated/v1/client.js";
import type { Handlers, Principals } from "../../../../generated/v1/server.js";
import { createHandlers, type MockHandlers } from "../../../../src/cli/mock/msw/index.js";
import type { Node } from "../../../../src/tenon/core/document/index.js";
import type { Handlers as FileHandlers } from "../../../fixtures/media-types/generated/server.js";
import type { Handlers as StreamHandlers } from "../../../fixtures/streams/generated/server.js";
import { loadDocument } from "../serve.js";

type Pets = Handlers<object, Principals>;

const BASE = "https://api.example.com/v1";
const AUTHORIZED = { headers: { Authorization: "Bearer any" } };
const PET = { id: 7, name: "Rex", categoryId: 1 };

describe("handlers of the pet store", () => {
  let document: Node;
  let handlers: MockHandlers<Pets>;
  let server: SetupServer;
  const client = createClient({ baseUrl: BASE, apiKey: "any", retry: false });
  const failures: unknown[] = [];

  beforeAll(async () => {
    document = await loadDocument("openapi/v1.yaml");
    handlers = createHandlers<Pets>(document, { baseUrl: BASE, onFailure: (error) => failures.push(error) });
    server = setupServer(...handlers);
    server.listen({ onUnhandledRequest: "error" });
  });
  afterEach(() => {
    server.resetHandlers();
    failures.length = 0;
  });
  afterAll(() => {
    server.close();
  });

  test("respond to every operation with the mock's responses", async () => {
    const response = await fetch(`${BASE}/pets`, AUTHORIZED);
    expect([response.status, response.headers.get("tenon-mock")]).toEqual([200, "true"]);
    expect(await response.json()).toEqual(expect.arrayContaining([expect.objectContaining({ id: 1 })]));
  });

  test("refuse requests that violate the contract in its error body", async () => {
    const tooMany = await fetch(`${BASE}/pets?limit=101`, AUTHORIZED);
    expect([tooMany.status, await tooMany.json()]).toEqual([
      400,
      { code: "invalid_parameter", message: 'Query parameter "limit" must be at most 100', status: 400 },
    ]);
    const body = JSON.stringify({ name: 1, categoryId: 1 });
    const headers = { ...AUTHORIZED.headers, "Content-Type": "application/json" };
    const invalid = await fetch(`${BASE}/pets`, { method: "POST", headers, body });
    expect([invalid.status, await invalid.json()]).toEqual([
      400,
      { code: "invalid_body", message: 'Field "name" must be a string', status: 400 },
    ]);
    expect((await fetch(`${BASE}/pets`)).status).toBe(401);
    expect((await fetch(`${BASE}/cats`)).status).toBe(404);
    const other = await fetch(`${BASE}/pets`, { method: "PATCH" });
    expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  });

  test("call a resolver with the validated request, and validate its reply", async () => {
    server.use(
      handlers.listPets(({ reply, query, request }) =>
        reply[200]([{ ...PET, id: query.limit }], { headers: { Link: `<${request.url}>; rel="next"` } }),
      ),
      handlers.createPet(({ reply, body }) => reply[201]({ ...body, id: 9 })),
    );
    const listed = await client.listPets();
    // The default of `limit`.
    expect(listed).toMatchObject({ status: 200, data: [{ ...PET, id: 20 }] });
    const created = await client.createPet({ body: { name: "Tom", categoryId: 2 } });
    expect(created).toMatchObject({ status: 201, data: { id: 9, name: "Tom", categoryId: 2 } });

    server.use(handlers.listPets(({ reply }) => reply[200]([{ ...PET, id: "x" as never }])));
    expect(await client.listPets()).toMatchObject({ status: 500, error: { code: "internal_error" } });
    expect(String(failures)).toContain("/0/id must be an integer");
  });

  test("respond as the mock where a resolver returns nothing", async () => {
    server.use(
      handlers.getPet(({ path, reply }) => {
        if (path.petId === 7)
          return reply[404]({ code: "pet_not_found", message: "No such pet", status: 404 });
        return undefined;
      }),
    );
    expect((await fetch(`${BASE}/pets/7`, AUTHORIZED)).status).toBe(404);
    const usual = await fetch(`${BASE}/pets/8`, AUTHORIZED);
    expect([usual.status, usual.headers.get("tenon-mock")]).toEqual([200, "true"]);
  });

  test("are used once, and by their own operation only", async () => {
    server.use(
      handlers.listPets(
        ({ reply }) =>
          reply[503](
            { code: "unavailable", message: "Later", status: 503 },
            { headers: { "Retry-After": 1 } },
          ),
        { once: true, delay: 1 },
      ),
    );
    expect((await fetch(`${BASE}/pets/1`, AUTHORIZED)).status).toBe(200);
    const first = await fetch(`${BASE}/pets`, AUTHORIZED);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await fetch(`${BASE}/pets`, AUTHORIZED)).status).toBe(200);
  });

  test("send a Response as it is, also a network error", async () => {
    server.use(handlers.listPets(() => HttpResponse.text("teapot", { status: 418 })));
    expect((await fetch(`${BASE}/pets`, AUTHORIZED)).status).toBe(418);
    server.use(handlers.listPets(() => HttpResponse.error()));
    await expect(fetch(`${BASE}/pets`, AUTHORIZED)).rejects.toThrow(TypeError);
  });

  test("leave other addresses alone", async () => {
    await expect(fetch("https://other.example.com/v1/pets", AUTHORIZED)).rejects.toThrow();
  });

  test("a base URL that is none is refused", () => {
    expect(() => createHandlers<Pets>(document, { baseUrl: "http://[" })).toThrow(
      'The option baseUrl must be a URL, found "http://["',
    );
  });

  test("are below every base URL, and any origin without one", async () => {
    server.use(...createHandlers<Pets>(document, { baseUrl: ["http://one.test/api/", "http://two.test"] }));
    for (const address of ["http://one.test/api/pets", "http://two.test/pets"])
      expect((await fetch(address, AUTHORIZED)).status).toBe(200);
    await expect(fetch("http://one.test/apis/pets", AUTHORIZED)).rejects.toThrow();
    server.use(...createHandlers<Pets>(document));
    expect((await fetch("http://any.test/v1/pets", AUTHORIZED)).status).toBe(200);
  });

  test("keep created resources, and inject errors", async () => {
    server.use(...createHandlers<Pets>(document, { stateful: true }));
    const created = await client.createPet({ body: { name: "Kept", categoryId: 1 } }).orThrow();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the contract has no other operation of one pet
    expect(await client.getPet({ path: { petId: created.id } })).toMatchObject({
      status: 200,
      data: { name: "Kept" },
    });
    server.use(...createHandlers<Pets>(document, { errors: 1 }));
    expect([429, 500, 503]).toContain((await fetch(`${BASE}/pets`, AUTHORIZED)).status);
  });
});

describe("handlers of other contracts", () => {
  const server = setupServer();
  beforeAll(() => {
    server.listen({ onUnhandledRequest: "error" });
  });
  afterAll(() => {
    server.close();
  });

  test("stream items that a resolver generates", async () => {
    const document = await loadDocument("test/fixtures/streams/openapi.yaml");
    const handlers = createHandlers<StreamHandlers<object, object>>(document);
    const ended: unknown[] = [];
    server.use(
      handlers.chat(({ reply, body }) =>
        reply[200](async function* (signal) {
          try {
            for (const text of body.prompt.split(" ")) {
              await Promise.resolve();
              yield { event: "token", data: { text } };
            }
            yield { event: "token", data: { text: 1 as never } };
          } finally {
            ended.push(signal.aborted);
          }
        }),
      ),
    );
    const response = await fetch("http://any.test/v1/chat", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ prompt: "Hi you" }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body?.getReader();
    const events: string[] = [];
    for (let count = 0; count < 2; count += 1)
      events.push(new TextDecoder().decode((await reader?.read())?.value as Uint8Array));
    expect(events.join("")).toContain('data: {"text":"Hi"}');
    expect(events.join("")).toContain('data: {"text":"you"}');
    await expect(reader?.read()).rejects.toThrow(/Item 2 .* is not as declared/);
    expect(ended).toEqual([true]);
  });

  test("end a stream that a HEAD request does not read", async () => {
    const document = await loadDocument("test/fixtures/streams/openapi.yaml");
    const handlers = createHandlers<StreamHandlers<object, object>>(document);
    const calls: string[] = [];
    const note = (name: string) => () => {
      calls.push(name);
      return Promise.resolve({ done: true as const, value: undefined });
    };
    const changes = { [Symbol.asyncIterator]: () => ({ next: note("next"), return: note("return") }) };
    server.use(handlers.listChanges(({ reply }) => reply[200](changes)));
    const response = await fetch("http://any.test/v1/changes", { method: "HEAD" });
    expect([response.status, calls]).toEqual([200, ["return"]]);
  });

  test("give files to a resolver", async () => {
    const document = await loadDocument("test/fixtures/media-types/openapi.yaml");
    const handlers = createHandlers<FileHandlers<object, object>>(document, {
      onBadExample: () => undefined,
    });
    let received: unknown;
    server.use(
      handlers.uploadPhotos(({ body }) => {
        const photo = body?.photo;
        received = [photo?.filename, photo?.mediaType, photo?.size, photo?.bytes];
      }),
      handlers.putBytes(async ({ body }) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of body ?? []) chunks.push(chunk);
        received = chunks;
      }),
      ...handlers,
    );
    const form = new FormData();
    form.append("note", "Sleeps");
    form.append("photo", new Blob([new Uint8Array([1, 2, 255])], { type: "image/png" }), "rex.png");
    const uploaded = await fetch("http://any.test/v1/pets/photo", { method: "POST", body: form });
    expect([uploaded.status, received]).toEqual([
      201,
      ["rex.png", "image/png", 3, new Uint8Array([1, 2, 255])],
    ]);
    const headers = { "Content-Type": "application/octet-stream" };
    await fetch("http://any.test/v1/bytes", { method: "PUT", headers, body: new Uint8Array([3, 4]) });
    expect(received).toEqual([new Uint8Array([3, 4])]);
  });
});

test("parts by position are refused, and say where they can be read", async () => {
  const handlers = createHandlers(await loadDocument("test/fixtures/parts/openapi.yaml"), {
    onFailure: () => undefined,
  });
  const headers = { "Content-Type": "multipart/mixed; boundary=b" };
  const request = new Request("http://any.test/v1/reports", { method: "POST", headers, body: "--b--" });
  const response = await getResponse([...handlers], request);
  expect([response?.status, await response?.json()]).toEqual([
    501,
    {
      code: "not_implemented",
      message: 'The parts of multipart/mixed can only be read by an Express service, such as "tenon mock"',
    },
  ]);
});

test("a document that is no contract is refused", () => {
  expect(() => createHandlers({ swagger: "2.0" })).toThrow(/is not an OpenAPI/);
});
