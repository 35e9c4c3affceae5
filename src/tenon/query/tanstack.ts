import { makeIdempotencyKey } from "../client/attempts.js";
import type { BareClient, OperationCall } from "../client/calls.js";
import type { Marking, OperationOptions, OperationTypes, Rest } from "../client/contract-client.js";
import { isRepeated, type PagedOperationCall, type PageParam } from "../client/pages.js";
import type { HttpMethod } from "../core/http/methods.js";
import { type CallKey, type PagesKey, toCallKey, toPagesKey } from "./keys.js";
import { type BodyOf, type Cached, load, type Loading, loadPage, type Page } from "./load.js";
import type { Tagged } from "./tag.js";

/**
 * The options of a query of TanStack Query: of `useQuery`, `useSuspenseQuery`, `prefetchQuery` and others.
 * @example
 * const options: QueryOptions<CallKey, Pet[]> = queryOptions(client, generatedClient.listPets);
 * const pets = await options.queryFn({});
 */
export interface QueryOptions<Key, Data> {
  readonly queryKey: Tagged<Key, Data>;
  /** Sends the call. It ends when `signal` is aborted, which is when nothing waits for the data any more. */
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<Data>;
}

/**
 * The options of an infinite query of TanStack Query: of `useInfiniteQuery`, `useSuspenseInfiniteQuery`, `prefetchInfiniteQuery` and
 * others.
 * @example
 * const options: InfiniteQueryOptions<PagesKey, Pet[]> = infiniteQueryOptions(client, generatedClient.listPets);
 * const { data, next } = await options.queryFn({ pageParam: options.initialPageParam });
 */
export interface InfiniteQueryOptions<Key, Body> {
  readonly queryKey: Tagged<Key, InfiniteData<Body>>;
  readonly queryFn: (context: {
    readonly pageParam: PageParam;
    readonly signal?: AbortSignal;
  }) => Promise<Page<Body>>;
  readonly initialPageParam: PageParam;
  /** Returns null after the last page, and for a page that came before. */
  readonly getNextPageParam: (
    page: Page<Body>,
    pages: readonly Page<Body>[],
    param: PageParam,
    params: readonly PageParam[],
  ) => PageParam;
}

/**
 * The options of a mutation of TanStack Query, for `useMutation`. Its variables are the options of the call.
 * @example
 * const options: MutationOptions<{ body: NewPet }, Pet> = mutationOptions(client, generatedClient.createPet);
 * const pet = await options.mutationFn({ body: { name: "Rex", categoryId: 1 } });
 */
export interface MutationOptions<Variables, Data> {
  readonly mutationKey: readonly [operationId: string];
  /** Sends the call. TanStack Query calls it again, with the same `context`, if it repeats the mutation. */
  readonly mutationFn: (variables: Variables, context?: object) => Promise<Data>;
}

/** The variables of a mutation: optional if no option of the call is required. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- `mutate()` without variables requires it
type Variables<Options> = Partial<Options> extends Options ? Options | void : Options;

/**
 * Makes the key of an operation, of a call, or of all calls with some of their parameters, to invalidate or change its data:
 * `["listPets"]` or `["listPets", { query: { limit: 5 } }]`.
 * @example
 * const all = queryKey(generatedClient.listPets);
 * const available = queryKey(generatedClient.listPets, { query: { status: "available" } });
 */
export function queryKey<Operation extends OperationTypes, Method extends HttpMethod, Marks extends Marking>(
  call: OperationCall<Operation, Method, Marks>,
  options?: Partial<OperationOptions<Operation, Marks>>,
): Tagged<CallKey<OperationOptions<Operation, Marks>>, Cached<BodyOf<Operation, Method, Marks>>> {
  return toCallKey(call.operation.id, options) as never;
}

/**
 * Makes the options of a query: `useQuery(queryOptions(client, listPets, { query: { limit: 5 } }))`. Its data are the body of the
 * successful response; `null` for a response without one. It fails as `orThrow()` of the call does: narrow `error` with `isError` of the
 * call.
 * @example
 * const options = queryOptions(client, generatedClient.listPets, { query: { limit: 5 } });
 * const pets: Pet[] = await options.queryFn({ signal: AbortSignal.timeout(5_000) });
 */
export function queryOptions<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
>(
  client: BareClient,
  call: OperationCall<Operation, Method, Marks>,
  ...[options]: Rest<OperationOptions<Operation, Marks>>
): QueryOptions<CallKey<OperationOptions<Operation, Marks>>, Cached<BodyOf<Operation, Method, Marks>>> {
  return {
    queryKey: queryKey(call, options),
    queryFn: ({ signal }) => load(client, call.operation, options, signal) as Promise<never>,
  };
}

/**
 * Makes the options of an infinite query of an operation with pages: `useInfiniteQuery(infiniteQueryOptions(client, listPets))`. A page
 * of the data is `{ data, next }` with the body of a response.
 * @example
 * const options = infiniteQueryOptions(client, generatedClient.listPets, { query: { limit: 20 } });
 * const first = await options.queryFn({ pageParam: options.initialPageParam });
 * const names = first.data.map(({ name }) => name);
 */
export function infiniteQueryOptions<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
>(
  client: BareClient,
  call: PagedOperationCall<Operation, Method, Marks>,
  ...[options]: Rest<OperationOptions<Operation, Marks>>
): InfiniteQueryOptions<PagesKey<OperationOptions<Operation, Marks>>, BodyOf<Operation, Method, Marks>> {
  const { operation } = call;
  return {
    queryKey: toPagesKey(operation.id, options) as never,
    queryFn: ({ pageParam, signal }) =>
      loadPage(client, operation, options, pageParam, signal) as Promise<never>,
    initialPageParam: null,
    getNextPageParam: (page, pages, _, params) => {
      const before = pages.at(-2);
      const isLoop = params.includes(page.next) || (before && isRepeated(operation, page, before));
      return isLoop === true ? null : page.next;
    },
  };
}

/**
 * The data of an infinite query, as TanStack Query has them.
 * @example
 * const data: InfiniteData<Pet[]> = { pages: [{ data: [], next: null }], pageParams: [null] };
 */
export interface InfiniteData<Body> {
  pages: Page<Body>[];
  pageParams: PageParam[];
}

/** The values of `Idempotency-Key` by the context of their mutation, which is the same for all its repetitions. */
const keys = /* @__PURE__ */ new WeakMap<object, string>();

/**
 * Makes the options of a mutation: `useMutation(mutationOptions(client, createPet))`. If the operation declares `Idempotency-Key`, all
 * repetitions of a mutation send the same key: those of the client, and those of TanStack Query 5.90 and later.
 * @example
 * const options = mutationOptions(client, generatedClient.createPet);
 * const pet: Pet = await options.mutationFn({ body: { name: "Rex", categoryId: 1 } });
 */
export function mutationOptions<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
>(
  client: BareClient,
  call: OperationCall<Operation, Method, Marks>,
): MutationOptions<Variables<OperationOptions<Operation, Marks>>, Cached<BodyOf<Operation, Method, Marks>>> {
  const { operation } = call;
  return {
    mutationKey: [operation.id],
    mutationFn: (variables, context) => {
      const options: Loading = variables ?? {};
      const key = context && operation.idempotencyKey && findKey(context, operation.idempotencyKey);
      const header = { "Idempotency-Key": key, ...options.header };
      return load(client, operation, key === undefined ? options : { ...options, header }) as Promise<never>;
    },
  };
}

function findKey(context: object, form: "plain" | "quoted"): string {
  const key = keys.get(context) ?? makeIdempotencyKey(form);
  keys.set(context, key);
  return key;
}
