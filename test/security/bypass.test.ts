import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sendRaw } from "../support/http.js";
import { listAll, startPetStore, type PetStore } from "../support/petstore.js";

/** A name that no answer to a stranger may hold. */
const SECRET = "s3cr3t-marker";

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore({ env: { FAILED_AUTH_LIMIT: "off" } });
  await store.create({ name: SECRET, categoryId: 1 });
});
afterAll(() => store.stop());

const BODY = '{"name":"intruder","categoryId":1}';

/** What comes back to a request without a key, byte for byte. */
const ask = (method: string, target: string, headers = ""): Promise<string> =>
  sendRaw(
    store.port,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${BODY.length}\r\n${headers}\r\n${BODY}`,
  );

const TARGETS = [
  "/v1/pets",
  "//v1/pets",
  "/v1//pets",
  "/v1/pets//",
  "/v1/pets/",
  "/./v1/pets",
  "/v1/./pets",
  "/v1/../v1/pets",
  "/v1/x/../pets",
  "/docs/../v1/pets",
  "/healthz/../v1/pets",
  "/v1/%2e/pets",
  "/docs/%2e%2e/v1/pets",
  "/docs/..%2fv1/pets",
  "/v1%2fpets",
  "/v1%2Fpets",
  "/v1/pets%2f1",
  "/v1/pets%2f",
  "/v1/%70ets",
  "/%76%31/pets",
  "/v1/pets%00",
  "/v1/pets%20",
  "/v1/pets%09",
  "/v1/pets%3flimit=1",
  "/v1/pets%23",
  "/v1/pets;x=1",
  "/v1;x=1/pets",
  "/v1/pets/1;x=1",
  "/v1/pets/1/.",
  "/v1/pets/1/..",
  "/V1/pets",
  "/v1/PETS",
  "/v1/Pets/1",
  "/v1\\pets",
  "\\v1\\pets",
  "/v1/pets\\1",
  "/v1/pets/1",
  "/v1/pets/01",
  "/v1/pets/1.0",
  "/v1/pets/1.json",
  "/v1/pets.json",
  "/v1/pets/*",
  "*",
  "http://x/v1/pets",
  "http://127.0.0.1/v1/pets",
  "http://user:password@x/v1/pets",
  "HTTP://X/v1/pets",
  "https://x//v1/pets",
  "http://x/docs/../v1/pets",
  "x:v1/pets",
  "/docs/?/v1/pets",
  "/v1/pets?key=x&access_token=x",
  "/v1/pets?_method=GET",
  "/v1/pets#@/docs/",
  "/v1/pets%E2%80%8B",
  "/v1/pe%CC%81ts",
  "/%ef%bd%961/pets",
];

describe("without a key, however the path is spelled, nothing is read and nothing is created:", () => {
  test.each(TARGETS)("%s", async (target) => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]) {
      const answer = await ask(method, target);
      expect(answer).not.toContain(SECRET);
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
      // OPTIONS tells the methods of a path, and the docs are public.
      if (method === "OPTIONS" && status === "204") continue;
      if (target.startsWith("/docs/?")) continue;
      expect([method, status]).toEqual([method, expect.stringMatching(/^(400|401|404|405|414)$/)]);
    }
    expect((await listAll(store)).map(({ name }) => name)).toStrictEqual([SECRET]);
  });

  test.each([
    "X-HTTP-Method-Override: GET",
    "X-HTTP-Method: GET",
    "X-Method-Override: GET",
    "X-Original-URL: /docs/",
    "X-Rewrite-URL: /healthz",
    "X-Forwarded-Prefix: /docs",
    "X-Forwarded-For: 127.0.0.1",
    "Forwarded: for=127.0.0.1",
    "X-Forwarded-User: admin",
    "X-Remote-User: admin",
    "X-API-Key: x",
    "Cookie: authorization=Bearer x",
    "Proxy-Authorization: Bearer x",
    "Authorization : Bearer x",
    "Authorization:\r\n Bearer x",
  ])("with the header %j", async (header) => {
    for (const method of ["GET", "POST"]) {
      const answer = await ask(method, "/v1/pets", `${header}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
      expect(answer).not.toContain(SECRET);
    }
    // A public path does not become another one by a header.
    expect(await ask("GET", "/healthz", `${header.replace("/docs/", "/v1/pets")}\r\n`)).not.toContain(SECRET);
    expect(await listAll(store)).toHaveLength(1);
  });
});

test("with a key, a method is what the request line says", async () => {
  for (const header of ["x-http-method-override", "x-http-method", "x-method-override"]) {
    const answer = await store.call("/v1/pets", { headers: { [header]: "DELETE" } });
    expect(answer.status).toBe(200);
  }
  expect((await store.call("/v1/pets?_method=DELETE")).status).toBe(400);
});
