// @slow: starts the pet store.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { QueryClient, useQuery, VueQueryPlugin } from "@tanstack/vue-query";
import { createSSRApp, defineComponent, h, onServerPrefetch, ref } from "vue";
import { renderToString } from "vue/server-renderer";
import { queryKey, queryOptions } from "tenon/query";
import { createBareClient, listPets } from "../../../generated/v1/client.js";
import { type PetStore, startPetStore } from "../../support/petstore.js";

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore();
  for (const name of ["Rex", "Tom", "Ada"]) await store.create({ name, categoryId: 1 });
});
afterAll(() => store.stop());

test("a Vue component renders the pets on a server, and asks again when its options change", async () => {
  const client = createBareClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const limit = ref(1);
  const List = defineComponent({
    setup() {
      const { data, suspense } = useQuery(() =>
        queryOptions(client, listPets, { query: { limit: limit.value } }),
      );
      onServerPrefetch(async () => {
        await suspense();
        limit.value = 2;
        await suspense();
      });
      return () =>
        h(
          "ul",
          data.value?.map(({ id, name }) => h("li", { key: id }, name.toUpperCase())),
        );
    },
  });
  const app = createSSRApp(List).use(VueQueryPlugin, { queryClient: queries });
  expect(await renderToString(app)).toBe("<ul><li>REX</li><li>TOM</li></ul>");
  expect(queries.getQueryData(queryKey(listPets, { query: { limit: 1 } }))).toHaveLength(1);
  queries.clear();
});
