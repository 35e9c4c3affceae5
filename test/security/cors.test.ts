import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { generateKey } from "../../src/petstore/keys/key.js";
import { at } from "../openapi/document.js";
import type { Answer } from "../support/http.js";
import { startPetStore, type PetStore } from "../support/petstore.js";

const ORIGIN = "https://shop.example";
const OTHERS = [
  "https://shop.example.evil.example",
  "https://evil.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://SHOP.example",
  "https://shop.example/",
  `${ORIGIN}, https://evil.example`,
  "null",
  "*",
  "",
];

const granted = ({ headers }: Answer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));
const list = (header: unknown): string[] => String(header).split(", ");
const preflight = (method: string): Record<string, string> => ({
  origin: ORIGIN,
  "access-control-request-method": method,
  "access-control-request-headers": "authorization,content-type",
});

describe("without CORS_ORIGINS", () => {
  let store: PetStore;
  beforeAll(async () => {
    store = await startPetStore();
  });
  afterAll(() => store.stop());

  test("no page of another origin may read anything", async () => {
    for (const path of ["/v1/pets", "/v1/nope", "/docs/", "/openapi.json", "/healthz"]) {
      expect(granted(await store.call(path, { headers: { origin: ORIGIN } }))).toStrictEqual([]);
    }
    expect(
      granted(await store.call("/v1/pets", { method: "OPTIONS", headers: preflight("POST") })),
    ).toStrictEqual([]);
  });
});

describe("with CORS_ORIGINS", () => {
  let store: PetStore;
  beforeAll(async () => {
    store = await startPetStore({
      env: { CORS_ORIGINS: `http://localhost:5173,${ORIGIN}`, RATE_LIMIT: "100/1h" },
    });
  });
  afterAll(() => store.stop());

  test.each(["/v1/pets", "/v1/pets/1", "/v1/pets?limit=0", "/v1/nope", "/openapi.json", "/healthz", "/nope"])(
    "a page of such an origin may read the answer of %s",
    async (path) => {
      const { headers } = await store.call(path, { headers: { origin: ORIGIN } });
      expect(headers["access-control-allow-origin"]).toBe(ORIGIN);
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
      expect(list(headers.vary)).toContain("Origin");
    },
  );

  test("that it needs a key, or another one, too", async () => {
    for (const key of [null, generateKey()]) {
      const answer = await store.call("/v1/pets", { key, headers: { origin: ORIGIN } });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toStrictEqual([401, ORIGIN]);
    }
  });

  test.each(OTHERS)("one of %j may not", async (origin) => {
    for (const options of [
      { headers: { origin } },
      { method: "OPTIONS", headers: { ...preflight("POST"), origin } },
    ]) {
      const answer = await store.call("/v1/pets", options);
      expect(granted(answer)).toStrictEqual([]);
      expect(answer.headers.vary).toBe("Origin");
    }
  });

  test("who sends no origin gets the same answer, which caches tell apart", async () => {
    const { status, headers } = await store.call("/v1/pets");
    expect([status, headers.vary]).toStrictEqual([200, "Origin"]);
    expect((await store.call("/docs/")).headers.vary).toBe("Origin, Accept-Encoding");
  });

  test("a preflight needs no key; the contract decides which methods there are", async () => {
    const answer = await store.call("/v1/pets", { key: null, method: "OPTIONS", headers: preflight("POST") });
    expect([answer.status, answer.text]).toStrictEqual([204, ""]);
    expect(list(answer.headers["access-control-allow-methods"])).toEqual(
      expect.arrayContaining(["GET", "POST"]),
    );
    expect(list(answer.headers["access-control-allow-headers"])).toEqual(
      expect.arrayContaining(["Authorization", "Content-Type"]),
    );
    expect(answer.headers["access-control-max-age"]).toBe("600");
    const nowhere = await store.call("/v1/nope", {
      key: null,
      method: "OPTIONS",
      headers: preflight("POST"),
    });
    expect(nowhere.status).toBe(404);
  });

  test("every header that the contract declares can be read", async () => {
    const { headers } = await store.call("/v1/pets", { headers: { origin: ORIGIN } });
    const declared = JSON.stringify([at("paths"), at("components", "responses")]).matchAll(
      /"headers":(\{.*?\}\})/g,
    );
    const names = new Set(
      [...declared].flatMap(([, json = "{}"]) => Object.keys(JSON.parse(json) as object)),
    );
    expect(names.size).toBeGreaterThan(5);
    expect(list(headers["access-control-expose-headers"])).toEqual(
      expect.arrayContaining([...names, "X-Request-Id", "Allow"]),
    );
    const components = Object.keys(at("components", "headers")).filter((name) => !names.has(name));
    expect(components.length).toBeGreaterThan(0);
    const exposed = list(headers["access-control-expose-headers"]);
    expect(components.filter((name) => exposed.includes(name))).toEqual([]);
  });
});
