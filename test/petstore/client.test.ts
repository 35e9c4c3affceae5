import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createClient } from "../../generated/v1/client.js";
import { startPetStore, type PetStore } from "../support/petstore.js";

let store: PetStore;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  store = await startPetStore();
  client = createClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
});
afterAll(() => store.stop());

test("the generated client adds, lists and reads animals of the running service", async () => {
  const created = await client.POST("/pets", { body: { name: "Rex", categoryId: 7, status: "sold" } });
  expect(created.response.status).toBe(201);
  const id = created.data?.id ?? 0;
  expect(created.data).toStrictEqual({ id, name: "Rex", categoryId: 7, status: "sold" });

  const list = await client.GET("/pets", { params: { query: { limit: 1, status: "sold" } } });
  expect(list.data).toStrictEqual([created.data]);

  const read = await client.GET("/pets/{petId}", { params: { path: { petId: id } } });
  expect(read.data).toStrictEqual(created.data);
  expect(read.response.headers.get("sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
});

test("a creation that is sent again with its Idempotency-Key is made once", async () => {
  const send = () =>
    client.POST("/pets", {
      params: { header: { "Idempotency-Key": '"8e03978e-40d5-43e8-bc93-6894a57f9324"' } },
      body: { name: "Rex", categoryId: 7 },
    });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toStrictEqual([201, 201]);
  expect(second.data).toStrictEqual(first.data);
  const told = [first, second].map(({ response }) => response.headers.get("idempotent-replayed"));
  expect(told).toStrictEqual([null, "true"]);
});

test("its errors are the contract's", async () => {
  const missing = await client.GET("/pets/{petId}", { params: { path: { petId: 4711 } } });
  expect(missing.data).toBeUndefined();
  expect(missing.error).toMatchObject({ code: "pet_not_found", status: 404 });

  const orders = await client.GET("/store/orders");
  expect(orders.error).toMatchObject({ code: "not_implemented", status: 501 });

  const stranger = createClient({ baseUrl: `${store.url}/v1` });
  const refused = await stranger.GET("/pets");
  expect(refused.error).toMatchObject({ code: "unauthorized", status: 401 });
});
