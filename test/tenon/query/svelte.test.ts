// @slow: starts the pet store, and compiles Svelte.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { QueryClient } from "@tanstack/query-core";
import type { createInfiniteQuery, createQuery } from "@tanstack/svelte-query";
import { build, type Plugin } from "esbuild";
import { compile, compileModule } from "svelte/compiler";
import { infiniteQueryOptions, queryOptions } from "tenon/query";
import { createBareClient, listPets } from "../../../generated/v1/client.js";
import { type PetStore, startPetStore } from "../../support/petstore.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const COMPONENT = `
<script>
  import { createInfiniteQuery, createQuery } from "@tanstack/svelte-query";
  const { pets, pages, queries } = $props();
  const list = createQuery(() => pets, () => queries);
  const all = createInfiniteQuery(() => pages, () => queries);
</script>
<ul>{#each list.data as { id, name } (id)}<li>{name.toUpperCase()}</li>{/each}</ul>
<p>{all.data.pages.map(({ data }) => data.length).join(" ")} {all.hasNextPage}</p>
`;

/** Compiles components, and modules with runes. */
const svelte: Plugin = {
  name: "svelte",
  setup: (plugins) => {
    plugins.onLoad({ filter: /\.svelte(?:\.js)?$/ }, ({ path }) => ({
      contents: toJavaScript(path, readFileSync(path, "utf8")),
      loader: "js",
    }));
  },
};

function toJavaScript(filename: string, source: string): string {
  const options = { filename, generate: "server" } as const;
  return (filename.endsWith(".js") ? compileModule(source, options) : compile(source, options)).js.code;
}

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore();
  for (const name of ["Rex", "Tom", "Ada"]) await store.create({ name, categoryId: 1 });
});
afterAll(() => store.stop());

test("a Svelte component renders pets that a server has loaded", async () => {
  const component = toJavaScript("List.svelte", COMPONENT);
  const { outputFiles } = await build({
    stdin: { contents: `${component}\nexport { render } from "svelte/server";`, resolveDir: ROOT },
    ...{ bundle: true, format: "esm", platform: "node", logLevel: "silent", conditions: ["svelte"] },
    write: false,
    plugins: [svelte],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const { default: List, render } = (await import(`data:text/javascript;base64,${code}`)) as {
    readonly default: unknown;
    readonly render: (component: unknown, options: object) => { readonly body: string };
  };

  const client = createBareClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const pets = queryOptions(client, listPets, { query: { limit: 2 } });
  const pages = infiniteQueryOptions(client, listPets, { query: { limit: 2 } });
  await queries.query(pets);
  await queries.infiniteQuery({ ...pages, pages: 2 });
  const { body } = render(List, { props: { pets, pages, queries } });
  expect(body.replaceAll(/<!--.*?-->/g, "")).toBe("<ul><li>REX</li><li>TOM</li></ul> <p>2 1 false</p>");
  queries.clear();

  // Only for the compiler: the functions take the options, and know the type of the data.
  const name = (
    create: typeof createQuery,
    createPages: typeof createInfiniteQuery,
  ): (string | undefined)[] => [
    create(() => pets).data?.[0]?.name,
    createPages(() => pages).data?.pages[0]?.data[0]?.name,
  ];
  expect(name).toHaveLength(2);
});
