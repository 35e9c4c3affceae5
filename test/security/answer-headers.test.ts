import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sendRaw } from "../support/http.js";
import { startPetStore, type PetStore } from "../support/petstore.js";

const CAREFUL = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore({ env: { FAILED_AUTH_LIMIT: "1/1h" } });
});
afterAll(() => store.stop());

describe("every answer is careful:", () => {
  test.each([
    ["a list", 200, () => store.call("/v1/pets")],
    ["a creation", 201, () => store.call("/v1/pets", { json: { name: "Rex", categoryId: 1 } })],
    ["OPTIONS", 204, () => store.call("/v1/pets", { method: "OPTIONS" })],
    ["HEAD", 200, () => store.call("/v1/pets", { method: "HEAD" })],
    ["a wrong parameter", 400, () => store.call("/v1/pets?limit=0")],
    ["a wrong key", 401, () => store.call("/v1/pets", { key: "nobody" })],
    ["too many wrong keys", 429, () => store.call("/v1/pets", { key: "nobody" })],
    ["an unknown path", 404, () => store.call("/nope")],
    ["an unknown path of the API", 404, () => store.call("/v1/nope")],
    ["a wrong method", 405, () => store.call("/v1/pets", { method: "DELETE" })],
    ["an operation to come", 501, () => store.call("/v1/store/orders")],
    ["health", 200, () => store.call("/healthz")],
    ["readiness", 200, () => store.call("/readyz")],
  ] as const)("%s", async (_, status, call) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(CAREFUL);
    for (const name of ["x-powered-by", "server", "etag", "set-cookie"])
      expect(answer.headers).not.toHaveProperty(name);
  });

  test.each([
    ["what is no HTTP", "hello\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    [
      "a target that is too long",
      `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ["CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n", 417],
  ])("%s, which never reaches the app", async (_, bytes, status) => {
    const answer = (await sendRaw(store.port, bytes)).toLowerCase();
    expect(answer).toMatch(new RegExp(`^http/1.1 ${status} `));
    for (const [name, value] of Object.entries(CAREFUL))
      expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
  });
});

test.each(["/docs/", "/docs/docs.js", "/openapi.json", "/openapi.yaml"])(
  "%s may be kept, and what it may load is stated",
  async (path) => {
    const { status, headers } = await store.call(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...CAREFUL,
      "cache-control": "no-cache",
      "content-security-policy": expect.stringMatching(
        /default-src 'none'.*frame-ancestors 'none'/,
      ) as unknown,
    });
    // Pages of the reference call the servers of the contract, when their reader sends a request.
    const policy = String(headers["content-security-policy"]).replace(
      "connect-src 'self' https://petstore.example https://staging.petstore.example;",
      "",
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  },
);
