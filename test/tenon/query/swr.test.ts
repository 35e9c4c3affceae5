/* eslint-disable @typescript-eslint/no-deprecated -- the operation that can fail is deprecated */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { BareClient } from "tenon/client";
import { queryKey, swr, swrInfinite, swrMutation } from "tenon/query";
import { createBareClient, createPet, getPet, listPets } from "../../../generated/v1/client.js";
import { type PetStore, startPetStore } from "../../support/petstore.js";

let store: PetStore;
let client: BareClient;
beforeAll(async () => {
  store = await startPetStore();
  client = createBareClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
  for (const name of ["Rex", "Tom", "Ada"]) await store.create({ name, categoryId: 1 });
});
afterAll(() => store.stop());

test("a fetcher resolves to the body, under the key of the query, and fails as orThrow does", async () => {
  const [key, fetcher] = swr(client, listPets, { query: { limit: 2 } });
  expect(key).toEqual(queryKey(listPets, { query: { limit: 2 } }));
  expect((await fetcher()).map(({ name }) => name)).toEqual(["Rex", "Tom"]);
  const [, missing] = swr(client, getPet, { path: { petId: 99 } });
  const error: unknown = await missing().catch((thrown: unknown) => thrown);
  expect(getPet.isError(error) && error.status).toBe(404);
});

test("pages follow each other, each under a key of its own", async () => {
  const [getKey, fetcher] = swrInfinite(client, listPets, { query: { limit: 2 } });
  const first = getKey(0, null);
  expect(first).toEqual(["listPets", { query: { limit: 2 } }, "pages", null]);
  if (first === null) throw new Error("There is no first page");
  const page = await fetcher(first);
  const second = getKey(1, page);
  expect(second).not.toEqual(first);
  if (second === null) throw new Error("There is no second page");
  const last = await fetcher(second);
  expect([...page.data, ...last.data].map(({ name }) => name)).toEqual(["Rex", "Tom", "Ada"]);
  expect(getKey(2, last)).toBeNull();
});

test("a mutation has the options of the call as its argument", async () => {
  const [key, trigger] = swrMutation(client, createPet);
  const pet = await trigger(key, { arg: { body: { name: "Eve", categoryId: 2 } } });
  expect([key, pet.name]).toEqual([["createPet"], "Eve"]);
});
