// @thorough: starts a service for each limit.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { basePath, operations } from "../../../generated/v1/server.js";
import { generateKey } from "../../../src/petstore/keys/key.js";
import type { Answer } from "../../support/http.js";
import { startPetStore, type PetStore } from "../../support/petstore.js";
import { endProcesses, startServing } from "../../support/petstore-process.js";
import { describeEngines } from "../store/engines.js";

let store: PetStore;
/** A service whose clock stands still: nothing is regained while a test runs. */
const startLimited = (env: Readonly<Record<string, string>> = {}): Promise<PetStore> =>
  startPetStore({ env, now: () => 0 });
afterEach(() => store.stop());

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const many = (count: number, call: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, call));

describe("RATE_LIMIT", () => {
  test("refuses what is too much, and tells how much is left", async () => {
    store = await startLimited({ RATE_LIMIT: "3/30s" });
    const answers = [];
    for (const path of ["/v1/pets", "/v1/pets/4711", "/v1/pets?limit=0", "/v1/pets"])
      answers.push(await store.call(path));
    expect(statuses(answers)).toStrictEqual([200, 404, 400, 429]);
    expect(answers.map(({ headers }) => headers["ratelimit-policy"])).toStrictEqual(
      Array(4).fill('"key";q=3;w=30'),
    );
    expect(answers.map(({ headers }) => headers["ratelimit"])).toStrictEqual([
      '"key";r=2;t=10',
      '"key";r=1;t=10',
      '"key";r=0;t=10',
      '"key";r=0;t=10',
    ]);
    expect(answers.map(({ headers }) => headers["retry-after"])).toStrictEqual([
      undefined,
      undefined,
      undefined,
      "10",
    ]);
    expect(answers[3]?.json).toStrictEqual({
      code: "too_many_requests",
      message: "This key may send 3 requests in 30 seconds",
      status: 429,
    });
    // A deprecated operation tells so, whatever it answers.
    expect((await store.call("/v1/pets/1")).headers).toHaveProperty("deprecation");
  });

  test("is told with every answer, of a single animal too", async () => {
    store = await startLimited({ RATE_LIMIT: "9/90s" });
    const { id } = await store.create({ name: "Rex", categoryId: 1 });
    expect(await store.call(`/v1/pets/${id}`)).toMatchObject({
      status: 200,
      headers: { "ratelimit-policy": '"key";q=9;w=90', ratelimit: '"key";r=7;t=10' },
    });
  });

  test("refuses before the body is read, and creates nothing", async () => {
    store = await startLimited({ RATE_LIMIT: "1/1h" });
    const answers = await many(5, () => store.call("/v1/pets", { json: { name: "Rex", categoryId: 1 } }));
    expect(statuses(answers).sort()).toStrictEqual([201, 429, 429, 429, 429]);
    const broken = await store.call("/v1/pets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(broken.status).toBe(429);
  });

  test("is off by default, and then tells nothing", async () => {
    store = await startPetStore();
    const answers = await many(400, () => store.call("/v1/pets"));
    expect(new Set(statuses(answers))).toStrictEqual(new Set([200]));
    expect(answers[0]?.headers).not.toHaveProperty("ratelimit");
    expect(answers[0]?.headers).not.toHaveProperty("ratelimit-policy");
  });

  test("does not count what has no valid key, and what is no operation", async () => {
    store = await startLimited({ RATE_LIMIT: "1/1h" });
    for (const path of ["/v1/nope", "/healthz", "/readyz", "/docs/"]) await store.call(path);
    expect((await store.call("/v1/pets", { key: null })).headers).not.toHaveProperty("ratelimit");
    expect((await store.call("/v1/pets")).status).toBe(200);
    expect((await store.call("/v1/pets")).status).toBe(429);
  });
});

describe("FAILED_AUTH_LIMIT", () => {
  const strange = (): string => generateKey();

  test("answers 429 in place of 401, and never refuses a good key", async () => {
    store = await startLimited({ FAILED_AUTH_LIMIT: "5/1h" });
    const bad = await many(8, () => store.call("/v1/pets", { key: strange() }));
    expect(statuses(bad).sort()).toStrictEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = bad.find(({ status }) => status === 429);
    expect(refused?.headers["retry-after"]).toBe("720");
    expect(refused?.headers).not.toHaveProperty("ratelimit");
    // Behind one address may be a whole company.
    const good = await many(20, () => store.call("/v1/pets"));
    expect(new Set(statuses(good))).toStrictEqual(new Set([200]));
    expect((await store.call("/v1/pets", { key: "nobody" })).status).toBe(429);
  });

  test("applies to every operation", async () => {
    store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h" });
    expect((await store.call("/v1/pets", { key: strange() })).status).toBe(401);
    for (const { method, path } of operations) {
      const address = `${basePath}${path.replace("{petId}", "1")}`;
      expect([path, (await store.call(address, { method, key: strange() })).status]).toEqual([path, 429]);
    }
  });

  test("does not count who sends no key: that asks for nothing and costs nothing", async () => {
    store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h" });
    const answers = await many(5, () => store.call("/v1/pets", { key: null }));
    expect(new Set(statuses(answers))).toStrictEqual(new Set([401]));
  });

  test("is on by default, generously", async () => {
    store = await startLimited();
    const answers = await many(330, () => store.call("/v1/pets", { key: "nobody" }));
    const failed = statuses(answers).filter((status) => status === 401).length;
    expect(failed).toBe(300);
  });

  test("off, it refuses nobody", async () => {
    store = await startLimited({ FAILED_AUTH_LIMIT: "off" });
    const answers = await many(330, () => store.call("/v1/pets", { key: "nobody" }));
    expect(new Set(statuses(answers))).toStrictEqual(new Set([401]));
  });

  describe("counts by the address that", () => {
    const from = async (forwarded: string): Promise<number> =>
      (await store.call("/v1/pets", { key: "nobody", headers: { "x-forwarded-for": forwarded } })).status;

    test("the connection has: what callers write themselves is not believed", async () => {
      store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h" });
      expect([await from("192.0.2.1"), await from("192.0.2.2")]).toStrictEqual([401, 429]);
    });

    test("the last of the trusted proxies wrote", async () => {
      store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h", TRUSTED_PROXIES: "1" });
      expect([await from("192.0.2.1"), await from("192.0.2.2")]).toStrictEqual([401, 401]);
      expect([await from("192.0.2.1"), await from("192.0.2.2")]).toStrictEqual([429, 429]);
      // Left of what the proxy added stands what the caller sent.
      expect(await from("198.51.100.7, 192.0.2.1")).toBe(429);
      expect(await from("192.0.2.1, 198.51.100.7")).toBe(401);
    });

    test("the first of several trusted proxies wrote", async () => {
      store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h", TRUSTED_PROXIES: "2" });
      expect(await from("192.0.2.1, 10.0.0.1")).toBe(401);
      expect(await from("198.51.100.7, 192.0.2.1, 10.0.0.1")).toBe(429);
      expect(await from("198.51.100.7, 192.0.2.9, 10.0.0.1")).toBe(401);
    });

    test("is in one /64, for IPv6; what is no address counts for the proxy", async () => {
      store = await startLimited({ FAILED_AUTH_LIMIT: "1/1h", TRUSTED_PROXIES: "1" });
      expect([
        await from("2001:db8::1"),
        await from("2001:db8::ffff:1"),
        await from("2001:db8:0:1::1"),
      ]).toStrictEqual([401, 429, 401]);
      expect([await from("unknown"), await from("x".repeat(500))]).toStrictEqual([401, 429]);
    });
  });
});

describeEngines((engine) => {
  describe("several processes", () => {
    beforeAll(async () => {
      // Nothing for `afterEach` to stop twice.
      store = await startPetStore();
    });
    afterAll(endProcesses);

    test("share the rate of a key, but for what each may not have told", async () => {
      const service = await startServing({
        env: { DATABASE_URL: await engine.create(), WEB_CONCURRENCY: "2", RATE_LIMIT: "20/30d" },
      });
      const answers = await many(60, () => service.calls.call("/v1/pets"));
      const passed = statuses(answers).filter((status) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(20);
      expect(passed).toBeLessThanOrEqual(20 + 2);
      expect(statuses(answers).filter((status) => status === 429)).toHaveLength(60 - passed);
      service.kill("SIGTERM");
      expect(await service.ended()).toMatchObject({ code: 0 });
    });
  });
});
