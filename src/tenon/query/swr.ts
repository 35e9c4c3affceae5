import type { BareClient, OperationCall } from "../client/calls.js";
import type { Marking, OperationOptions, OperationTypes, Rest } from "../client/contract-client.js";
import type { PagedOperationCall, PageParam } from "../client/pages.js";
import type { HttpMethod } from "../core/http/methods.js";
import { type CallKey, type PagesKey, toCallKey, toPagesKey } from "./keys.js";
import { type BodyOf, type Cached, load, loadPage, type Page } from "./load.js";

/**
 * The arguments of `useSWR`.
 * @example
 * const [key, fetcher]: SwrArguments<CallKey, Pet[]> = swr(client, generatedClient.listPets);
 * const pets = await fetcher();
 */
export type SwrArguments<Key, Data> = readonly [key: Key, fetcher: () => Promise<Data>];

/**
 * The key of a page: the key of the pages, then what leads to the page.
 * @example
 * const first: PageKey = ["listPets", {}, "pages", null];
 */
export type PageKey<Options = object> = readonly [...PagesKey<Options>, PageParam];

/**
 * The arguments of `useSWRInfinite`.
 * @example
 * const [getKey, fetcher]: SwrInfiniteArguments<PageKey, Pet[]> = swrInfinite(client, generatedClient.listPets);
 * const key = getKey(0, null);
 * const pets = key && (await fetcher(key)).data;
 */
export type SwrInfiniteArguments<Key, Body> = readonly [
  getKey: (index: number, before: Page<Body> | null) => Key | null,
  fetcher: (key: Key) => Promise<Page<Body>>,
];

/**
 * The arguments of `useSWRMutation`.
 * @example
 * const [key, trigger]: SwrMutationArguments<{ body: NewPet }, Pet> = swrMutation(client, generatedClient.createPet);
 * const pet = await trigger(key, { arg: { body: { name: "Rex", categoryId: 1 } } });
 */
export type SwrMutationArguments<Options, Data> = readonly [
  key: readonly [operationId: string],
  fetcher: (key: readonly [operationId: string], options: { readonly arg: Options }) => Promise<Data>,
];

/**
 * Makes the arguments of `useSWR`: `useSWR(...swr(client, listPets, { query: { limit: 5 } }))`. The key is that of `queryKey`; the data
 * and errors are those of `queryOptions`.
 * @example
 * const [key, fetcher] = swr(client, generatedClient.listPets, { query: { limit: 5 } });
 * const pets: Pet[] = await fetcher();
 */
export function swr<Operation extends OperationTypes, Method extends HttpMethod, Marks extends Marking>(
  client: BareClient,
  call: OperationCall<Operation, Method, Marks>,
  ...[options]: Rest<OperationOptions<Operation, Marks>>
): SwrArguments<CallKey<OperationOptions<Operation, Marks>>, Cached<BodyOf<Operation, Method, Marks>>> {
  const { operation } = call;
  return [
    toCallKey<OperationOptions<Operation, Marks>>(operation.id, options),
    () => load(client, operation, options) as Promise<never>,
  ];
}

/**
 * Makes the arguments of `useSWRInfinite` for an operation with pages: `useSWRInfinite(...swrInfinite(client, listPets))`. A page of the
 * data is `{ data, next }` with the body of a response.
 * @example
 * const [getKey, fetcher] = swrInfinite(client, generatedClient.listPets, { query: { limit: 20 } });
 * const key = getKey(0, null);
 * const names = key && (await fetcher(key)).data.map(({ name }) => name);
 */
export function swrInfinite<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
>(
  client: BareClient,
  call: PagedOperationCall<Operation, Method, Marks>,
  ...[options]: Rest<OperationOptions<Operation, Marks>>
): SwrInfiniteArguments<PageKey<OperationOptions<Operation, Marks>>, BodyOf<Operation, Method, Marks>> {
  const { operation } = call;
  const pagesKey = toPagesKey<OperationOptions<Operation, Marks>>(operation.id, options);
  return [
    (_, before) => (before?.next === null ? null : [...pagesKey, before?.next ?? null]),
    ([, , , param]) => loadPage(client, operation, options, param) as Promise<never>,
  ];
}

/**
 * Makes the arguments of `useSWRMutation`: `useSWRMutation(...swrMutation(client, createPet))`. The argument of `trigger` is the options
 * of the call.
 * @example
 * const [key, trigger] = swrMutation(client, generatedClient.createPet);
 * const pet: Pet = await trigger(key, { arg: { body: { name: "Rex", categoryId: 1 } } });
 */
export function swrMutation<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
>(
  client: BareClient,
  call: OperationCall<Operation, Method, Marks>,
): SwrMutationArguments<OperationOptions<Operation, Marks>, Cached<BodyOf<Operation, Method, Marks>>> {
  const { operation } = call;
  return [[operation.id], (_, { arg }) => load(client, operation, arg) as Promise<never>];
}
