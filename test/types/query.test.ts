/* eslint-disable @typescript-eslint/no-deprecated -- the operation with a path is deprecated */
import { expect, test } from "@jest/globals";
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQueries,
  useSuspenseQuery,
} from "@tanstack/react-query";
import useSWR, { mutate } from "swr";
import useSWRInfinite from "swr/infinite";
import useSWRMutation from "swr/mutation";
import {
  infiniteQueryOptions,
  mutationOptions,
  type Page,
  queryKey,
  queryOptions,
  swr,
  swrInfinite,
  swrMutation,
} from "tenon/query";
import { type Client, createPet, getPet, listOrders, listPets } from "../../generated/v1/client.js";
import type { NewPet, Pet } from "../../generated/v1/server.js";
import * as everyday from "../fixtures/everyday/generated/calls.js";

/** Accepts only the very type: neither `any` nor a wider or narrower one. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- two functions are compared by them
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function exactly<Expected>(): <Actual>(actual: Actual, isSame: Same<Actual, Expected>) => void;
declare const client: Client;
declare const queryClient: QueryClient;

/** Never called: compiling it is the test. */
export function useQueries() {
  const { data, error } = useQuery(queryOptions(client, listPets, { query: { limit: 5 } }));
  exactly<Pet[] | undefined>()(data, true);
  exactly<Error | null>()(error, true);
  if (listPets.isError(error) && error.status === 429) exactly<string>()(error.body.code, true);

  const suspended = useSuspenseQuery(queryOptions(client, getPet, { path: { petId: 1 } }));
  exactly<Pet>()(suspended.data, true);
  const name = useQuery({
    ...queryOptions(client, getPet, { path: { petId: 1 } }),
    select: (pet) => pet.name,
    staleTime: 1000,
  });
  exactly<string | undefined>()(name.data, true);
  const [one, all] = useSuspenseQueries({
    queries: [queryOptions(client, getPet, { path: { petId: 1 } }), queryOptions(client, listPets)],
  });
  exactly<Pet>()(one.data, true);
  exactly<Pet[]>()(all.data, true);
  // The operation has no success.
  exactly<undefined>()(useQuery(queryOptions(client, listOrders)).data, true);
}

export function useWrongOptions() {
  // @ts-expect-error the parameter is called limit
  queryOptions(client, listPets, { query: { limt: 5 } });
  // @ts-expect-error the path is required
  queryOptions(client, getPet);
  // @ts-expect-error the operation has no pages
  infiniteQueryOptions(client, getPet, { path: { petId: 1 } });
  // @ts-expect-error the status is none of the contract's
  queryKey(listPets, { query: { status: "lost" } });
  // @ts-expect-error the operation has no pages
  swrInfinite(client, createPet);
}

export async function useCache() {
  const options = queryOptions(client, listPets, { query: { limit: 5 } });
  const pets = queryClient.getQueryData(options.queryKey);
  exactly<Pet[] | undefined>()(pets, true);
  queryClient.setQueryData(options.queryKey, (before) => before?.filter(({ id }) => id > 1));
  queryClient.setQueryData(queryKey(getPet, { path: { petId: 1 } }), { id: 1, name: "Rex", categoryId: 1 });
  // @ts-expect-error a pet has a name
  queryClient.setQueryData(queryKey(getPet, { path: { petId: 1 } }), { id: 1, categoryId: 1 });
  const fetched = await queryClient.query(options);
  exactly<Pet[]>()(fetched, true);
  const pages = queryClient.getQueryData(infiniteQueryOptions(client, listPets).queryKey);
  exactly<Pet[] | undefined>()(pages?.pages[0]?.data, true);
  await queryClient.infiniteQuery(infiniteQueryOptions(client, listPets));
  await queryClient.invalidateQueries({ queryKey: queryKey(listPets) });
}

export function usePages() {
  const { data, hasNextPage } = useInfiniteQuery(infiniteQueryOptions(client, listPets));
  exactly<InfiniteData<Page<Pet[]>> | undefined>()(data, true);
  const flat = useSuspenseInfiniteQuery({
    ...infiniteQueryOptions(client, listPets, { query: { limit: 20 } }),
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
  exactly<Pet[]>()(flat.data, true);
  return hasNextPage;
}

export function useMutations() {
  const create = useMutation({
    ...mutationOptions(client, createPet),
    onMutate: ({ body }) => {
      exactly<NewPet>()(body, true);
      return { before: 1 };
    },
    onError: (error, _, context) => {
      exactly<Error>()(error, true);
      exactly<{ before: number } | undefined>()(context, true);
    },
    onSuccess: (pet) => {
      exactly<Pet>()(pet, true);
    },
  });
  create.mutate({ body: { name: "Rex", categoryId: 1 } });
  // @ts-expect-error categoryId is required
  create.mutate({ body: { name: "Rex" } });
  // @ts-expect-error the body is required
  create.mutate();
  useMutation(mutationOptions(client, listOrders)).mutate();
  const dropped = useMutation(mutationOptions(client, everyday.dropLine));
  exactly<null | undefined>()(dropped.data, true);
}

export function useSwr() {
  const { data } = useSWR(...swr(client, listPets, { query: { limit: 5 } }));
  exactly<Pet[] | undefined>()(data, true);
  const kept = useSWR(...swr(client, getPet, { path: { petId: 1 } }), { suspense: true });
  exactly<Pet>()(kept.data, true);
  const pages = useSWRInfinite(...swrInfinite(client, listPets, { query: { limit: 5 } }));
  exactly<Page<Pet[]>[] | undefined>()(pages.data, true);
  const create = useSWRMutation(...swrMutation(client, createPet));
  void create.trigger({ body: { name: "Rex", categoryId: 1 } });
  // @ts-expect-error categoryId is required
  void create.trigger({ body: { name: "Rex" } });
  void mutate(queryKey(listPets, { query: { limit: 5 } }));
  return create.data satisfies Pet | undefined;
}

test("queries, mutations and keys have the contract's types", () => {
  expect([useQueries, useWrongOptions, useCache, usePages, useMutations, useSwr]).toHaveLength(6);
});
