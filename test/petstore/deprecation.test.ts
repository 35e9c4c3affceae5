import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startPetStore, type Call, type PetStore } from "../support/petstore.js";

const SUNSET = Date.parse("2030-12-05T00:00:00Z");
const HEADERS = {
  // 2026-11-21T00:00:00Z
  deprecation: "@1795219200",
  sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
  link: '</v1/pets>; rel="successor-version"',
};

let now = SUNSET - 1;
let store: PetStore;
let id: number;
beforeAll(async () => {
  store = await startPetStore({ now: () => now });
  ({ id } = await store.create({ name: "Rex", categoryId: 1, status: "sold" }));
});
afterAll(() => store.stop());

/** Runs at an instant of the service's clock. */
async function at<T>(instant: number, run: () => Promise<T>): Promise<T> {
  now = instant;
  try {
    return await run();
  } finally {
    now = SUNSET - 1;
  }
}

describe("every answer of the deprecated read says when it ends and what replaces it:", () => {
  test.each<[number, () => string, Call, number]>([
    [200, () => `/v1/pets/${id}`, {}, SUNSET - 1],
    [200, () => `/v1/pets/${id}`, { method: "HEAD" }, SUNSET - 1],
    [400, () => "/v1/pets/x", {}, SUNSET - 1],
    [400, () => `/v1/pets/${id}?colour=red`, {}, SUNSET - 1],
    [400, () => `/v1/pets/${id}?colour=%zz`, {}, SUNSET - 1],
    [400, () => "/v1/pets/%zz", {}, SUNSET - 1],
    [401, () => `/v1/pets/${id}`, { key: null }, SUNSET - 1],
    [404, () => "/v1/pets/4711", {}, SUNSET - 1],
    [406, () => `/v1/pets/${id}`, { headers: { accept: "text/html" } }, SUNSET - 1],
    [410, () => `/v1/pets/${id}`, {}, SUNSET],
  ])("%i", async (status, path, call, instant) => {
    const answer = await at(instant, () => store.call(path(), call));
    expect(answer).toMatchObject({ status, headers: HEADERS });
  });

  test("no other operation does", async () => {
    const list = await store.call("/v1/pets");
    const orders = await store.call("/v1/store/orders");
    for (const { headers } of [list, orders]) {
      expect(headers["deprecation"] ?? headers["sunset"] ?? headers["link"]).toBeUndefined();
    }
  });
});

describe("the deprecated read is removed on 5 December 2030", () => {
  test.each([
    ["a millisecond before", SUNSET - 1, 200],
    ["at that instant", SUNSET, 410],
    ["a millisecond after", SUNSET + 1, 410],
    ["years after", SUNSET + 1e12, 410],
  ])("%s", async (_, instant, status) => {
    expect(await at(instant, () => store.call(`/v1/pets/${id}`))).toMatchObject({ status });
  });

  test("then whatever is asked of it is 410, but not to whom it is none of their business", async () => {
    await at(SUNSET, async () => {
      expect(await store.call("/v1/pets/4711")).toMatchObject({ status: 410, json: { code: "gone" } });
      expect(await store.call("/v1/pets/x")).toMatchObject({ status: 410 });
      expect(await store.call(`/v1/pets/${id}`, { key: null })).toMatchObject({ status: 401 });
    });
  });

  test("its replacement, the list with a status filter, goes on", async () => {
    const list = await at(SUNSET, () => store.call("/v1/pets?status=sold"));
    expect(list).toMatchObject({ status: 200, json: [{ id, name: "Rex" }] });
  });
});
