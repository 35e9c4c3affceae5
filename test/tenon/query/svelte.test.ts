// @slow: starts the pet store, and compiles Svelte.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
    plugins.onLoad({ filter: /\.svelte(?:\.js)?$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const options = { filename: path, generate: "server" } as const;
      const { js } = path.endsWith(".js") ? compileModule(source, options) : compile(source, options);
      return { contents: js.code, loader: "js" };
    });
  },
};

let store: PetStore;
let folder: string;
beforeAll(async () => {
  store = await startPetStore();
  for (const name of ["Rex", "Tom", "Ada"]) await store.create({ name, categoryId: 1 });
  // Below the repository, so that its packages are found.
  folder = mkdtempSync(join(ROOT, "node_modules/.cache/tenon-svelte-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await store.stop();
});

test("a Svelte component renders pets that a server has loaded", async () => {
  writeFileSync(join(folder, "List.svelte"), COMPONENT);
  await build({
    stdin: {
      contents: 'export { default as List } from "./List.svelte"; export { render } from "svelte/server";',
      resolveDir: folder,
    },
    ...{ bundle: true, format: "esm", platform: "node", logLevel: "silent", conditions: ["svelte"] },
    outfile: join(folder, "list.mjs"),
    plugins: [svelte],
  });
  const { List, render } = (await import(pathToFileURL(join(folder, "list.mjs")).href)) as {
    readonly List: unknown;
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
