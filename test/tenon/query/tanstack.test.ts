/* eslint-disable @typescript-eslint/no-deprecated -- the operation that can fail is deprecated */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  dehydrate,
  type DehydratedState,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
} from "@tanstack/react-query";
import {
  type BareClient,
  type ClientContract,
  createBareContractClient,
  defineCall,
  definePagedCall,
} from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "tenon/query";
import { createBareClient, createClient, createPet, getPet, listPets } from "../../../generated/v1/client.js";
import { listChanges } from "../../fixtures/streams/generated/client.js";
import { listAll, type PetStore, startPetStore } from "../../support/petstore.js";

let store: PetStore;
let client: BareClient;
beforeAll(async () => {
  store = await startPetStore();
  client = createBareClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
  for (const name of ["Rex", "Tom", "Ada", "Bob", "Eve"])
    await store.create({ name, categoryId: 1, status: name === "Eve" ? "sold" : "available" });
});
afterAll(() => store.stop());

const createQueryClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

describe("a query", () => {
  test("has the body of the response, under a key that invalidates", async () => {
    const queries = createQueryClient();
    const options = queryOptions(client, listPets, { query: { limit: 2 } });
    expect((await queries.query(options)).map(({ name }) => name)).toEqual(["Rex", "Tom"]);
    expect(queries.getQueryData(options.queryKey)).toHaveLength(2);
    const isInvalid = () => queries.getQueryState(options.queryKey)?.isInvalidated;
    await queries.invalidateQueries({ queryKey: queryKey(getPet) });
    await queries.invalidateQueries({ queryKey: queryKey(listPets, { query: { limit: 3 } }) });
    expect(isInvalid()).toBe(false);
    await queries.invalidateQueries({ queryKey: queryKey(listPets) });
    expect(isInvalid()).toBe(true);
  });

  test("takes a call of the client, too", async () => {
    const all = createClient({ baseUrl: `${store.url}/v1`, apiKey: store.key });
    const options = queryOptions(all, all.listPets, { query: { limit: 2 } });
    const names: string[] = (await createQueryClient().query(options)).map(({ name }) => name);
    expect(names).toEqual(["Rex", "Tom"]);
    expect(options.queryKey).toEqual(queryKey(all.listPets, { query: { limit: 2 } }));
    const pages = infiniteQueryOptions(all, all.listPets, { query: { limit: 2 } });
    const { data } = await pages.queryFn({ pageParam: pages.initialPageParam });
    expect(data.map(({ name }) => name)).toEqual(names);
    const mutation = mutationOptions(all, all.createPet);
    expect(mutation.mutationKey).toEqual(["createPet"]);
    const mistakes = [
      // @ts-expect-error it has no such parameter
      () => queryOptions(all, all.listPets, { query: { limt: 2 } }),
      // @ts-expect-error the path is required
      () => queryOptions(all, all.getPet),
      // @ts-expect-error it has no pages
      () => infiniteQueryOptions(all, all.getPet, { path: { petId: 1 } }),
      // @ts-expect-error the body needs a name
      () => mutation.mutationFn({ body: { categoryId: 1 } }),
    ];
    expect(mistakes).toHaveLength(4);
  });

  test("fails as orThrow does", async () => {
    const error: unknown = await createQueryClient()
      .query(queryOptions(client, getPet, { path: { petId: 99 } }))
      .catch((thrown: unknown) => thrown);
    expect(getPet.isError(error) && [error.status, error.body.code]).toEqual([404, "pet_not_found"]);
  });

  test("ends its request when nothing waits for it, and when its own signal is aborted", async () => {
    const queries = createQueryClient();
    let signal: AbortSignal | undefined;
    const waiting = createBareClient({
      baseUrl: store.url,
      apiKey: "key",
      fetch: (request) => {
        signal = request.signal;
        signal.throwIfAborted();
        return new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => {
            reject(request.signal.reason as Error);
          });
        });
      },
    });
    const options = queryOptions(waiting, listPets, {});
    const fetched = queries.query(options).catch(() => "cancelled");
    while (signal === undefined) await new Promise(setImmediate);
    await queries.cancelQueries({ queryKey: queryKey(listPets) });
    expect([await fetched, signal.aborted]).toEqual(["cancelled", true]);

    const own = new AbortController();
    const further = queryOptions(waiting, listPets, { signal: own.signal });
    const ended = further.queryFn({ signal: new AbortController().signal });
    own.abort(new Error("Enough"));
    await expect(ended).rejects.toThrow("Enough");
  });
});

describe("the key of a call", () => {
  test.each([
    [undefined, ["listPets"]],
    [{}, ["listPets"]],
    [{ query: {} }, ["listPets"]],
    [{ query: { limit: undefined } }, ["listPets"]],
    [{ query: { limit: 5 } }, ["listPets", { query: { limit: 5 } }]],
    [{ headers: { Authorization: "secret" }, timeout: 5, signal: AbortSignal.abort() }, ["listPets"]],
  ])("%j has what selects its response, and no secrets", (options, key) => {
    expect(queryKey(listPets, options as object)).toEqual(key);
  });
});

describe("an infinite query", () => {
  test("follows the pages, and reads them again", async () => {
    const queries = createQueryClient();
    const observer = new InfiniteQueryObserver(
      queries,
      infiniteQueryOptions(client, listPets, { query: { limit: 2 } }),
    );
    const names = () =>
      observer.getCurrentResult().data?.pages.map(({ data }) => data.map(({ name }) => name));
    const stop = observer.subscribe(() => undefined);
    await observer.refetch();
    expect(observer.getCurrentResult().hasNextPage).toBe(true);
    await observer.fetchNextPage();
    await observer.fetchNextPage();
    expect(names()).toEqual([["Rex", "Tom"], ["Ada", "Bob"], ["Eve"]]);
    expect(observer.getCurrentResult().hasNextPage).toBe(false);
    await observer.refetch();
    expect(names()?.flat()).toHaveLength(5);
    // The key of some of the parameters is that of the pages too.
    await queries.invalidateQueries({
      queryKey: queryKey(listPets, { query: { limit: 2 } }),
      refetchType: "none",
    });
    expect(observer.getCurrentResult().isStale).toBe(true);
    stop();
  });

  test("goes on in the browser after the server has read the first page, whatever their base URLs are", async () => {
    const options = (one: BareClient) => infiniteQueryOptions(one, listPets, { query: { limit: 2 } });
    const server = createQueryClient();
    await server.infiniteQuery(options(client));
    const sent = JSON.stringify(dehydrate(server));
    expect(sent).not.toContain(store.url);

    const asked: string[] = [];
    const behindProxy = createBareClient({
      baseUrl: "https://shop.example/api/v1",
      apiKey: store.key,
      fetch: async (request) => {
        asked.push(request.url);
        const url = request.url.replace("https://shop.example/api", store.url);
        const response = await fetch(new Request(url, request));
        return new Response(response.body, response);
      },
    });
    const browser = createQueryClient();
    hydrate(browser, JSON.parse(sent) as DehydratedState);
    const observer = new InfiniteQueryObserver(browser, { ...options(behindProxy), staleTime: Infinity });
    const stop = observer.subscribe(() => undefined);
    await observer.fetchNextPage();
    stop();
    expect(observer.getCurrentResult().data?.pages.flatMap(({ data }) => data)).toHaveLength(4);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^https:\/\/shop\.example\/api\/v1\/pets\?(?=.*limit=2)(?=.*cursor=)/);
  });
});

test("the next page of a cache that others can write is not on another host, which would get the key", async () => {
  const options = infiniteQueryOptions(client, listPets);
  for (const pageParam of ["//other.example/v1/pets", "https://other.example/v1/pets?cursor=1"])
    await expect(options.queryFn({ pageParam })).rejects.toThrow("The next page of listPets is on http");
});

describe("a mutation", () => {
  test("sends one Idempotency-Key, however often it is repeated", async () => {
    const before = (await listAll(store)).length;
    const keys: (string | null)[] = [];
    const losing = createBareClient({
      baseUrl: `${store.url}/v1`,
      apiKey: store.key,
      retry: { attempts: 1, delay: 0 },
      fetch: async (request) => {
        keys.push(request.headers.get("Idempotency-Key"));
        const response = await fetch(request);
        // The service has added the pet, and its answer is lost.
        if (keys.length < 4) throw new TypeError("The connection was closed");
        return response;
      },
    });
    const options = { ...mutationOptions(losing, createPet), retry: 1, retryDelay: 0 };
    const create = new MutationObserver(createQueryClient(), options);
    const variables = { body: { name: "Max", categoryId: 1 } };
    const pet = await create.mutate(variables);
    expect(pet).toMatchObject({ name: "Max" });
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(await listAll(store)).toHaveLength(before + 1);

    // The same variables again are another pet.
    expect((await create.mutate(variables)).id).not.toBe(pet.id);
    const own = '"8e03978e-40d5-43e8-bc93-6894a57f9324"';
    await create.mutate({ ...variables, header: { "Idempotency-Key": own } });
    expect(keys.slice(4)).toEqual([expect.not.stringContaining(own), own]);
  });
});

/** An operation of a contract of its own, and a client with one response. */
function serve(response: Response) {
  const contract: ClientContract = { tenon: GENERATED_VERSION, securitySchemes: {}, security: [] };
  const options = { baseUrl: "https://petstore.example/v1", fetch: () => Promise.resolve(response.clone()) };
  return createBareContractClient(contract, options);
}

interface Reads<Body> {
  parameters: { query?: { page?: number } };
  responses: { 200: { content: { "application/json": Body } } };
}

test("a response without a body is null, because undefined is no data", async () => {
  const dropLine = defineCall<{ parameters: object; responses: { 204: object } }, "delete">({
    id: "dropLine",
    method: "delete",
    path: "/line",
    responses: [[204]],
  });
  const options = queryOptions(serve(new Response(null, { status: 204 })), dropLine);
  expect(await createQueryClient().query(options)).toBeNull();
});

test("a stream is refused, because it can be read once only", async () => {
  const response = new Response("id: 1\ndata: {}\n\n", { headers: { "Content-Type": "text/event-stream" } });
  await expect(queryOptions(serve(response), listChanges).queryFn({})).rejects.toThrow(
    "The response of listChanges is a stream, which cannot be cached",
  );
});

test("pages that repeat end the query: the service ignores the parameter", async () => {
  const listNames = definePagedCall<Reads<string[]>, "get">({
    id: "listNames",
    method: "get",
    path: "/names",
    responses: [200],
    pages: { style: "page", parameter: "page" },
  });
  const options = infiniteQueryOptions(serve(Response.json(["a"])), listNames);
  const data = await createQueryClient().infiniteQuery({ ...options, pages: 9 });
  expect(data.pages).toHaveLength(2);
});
