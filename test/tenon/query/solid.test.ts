// @slow: starts the pet store.
/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-assignment -- elements of Solid have the type of its own JSX */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from "@tanstack/solid-query";
import { createComponent, createSignal, Suspense } from "solid-js";
import { renderToStringAsync } from "solid-js/web";
import { infiniteQueryOptions, queryKey, queryOptions } from "tenon/query";
import { createBareClient, listPets } from "../../../generated/v1/client.js";
import { type PetStore, startPetStore } from "../../support/petstore.js";

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore();
  for (const name of ["Rex", "Tom", "Ada"]) await store.create({ name, categoryId: 1 });
});
afterAll(() => store.stop());

test("a Solid component renders the pets on a server", async () => {
  const client = createBareClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const List = (): never => {
    const [limit] = createSignal(2);
    const pets = useQuery(() => queryOptions(client, listPets, { query: { limit: limit() } }));
    const pages = useInfiniteQuery(() => infiniteQueryOptions(client, listPets, { query: { limit: 2 } }));
    const names = () => pets.data?.map(({ name }) => name.toUpperCase()).join(", ");
    const first = () => pages.data?.pages.map(({ data, next }) => `${data.length} ${typeof next}`).join();
    return [names, "; ", first] as never;
  };
  const html = await renderToStringAsync(() =>
    createComponent(QueryClientProvider, {
      client: queries,
      get children() {
        return createComponent(Suspense, {
          get children() {
            return createComponent(List, {});
          },
        });
      },
    }),
  );
  expect(html.replaceAll("<!--!$-->", "")).toMatch(/^REX, TOM; 2 string</);
  expect(queries.getQueryData(queryKey(listPets, { query: { limit: 2 } }))).toHaveLength(2);
  queries.clear();
});
