/* eslint-disable @typescript-eslint/no-deprecated -- the operation with a path parameter is deprecated */
/** The module of a package that exports what it makes of a client: its types must be nameable. */
import {
  type CallKey,
  mutationOptions,
  infiniteQueryOptions,
  queryKey,
  queryOptions,
  swr,
} from "tenon/query";
import { createBareClient, createClient, getPet, listPets } from "../../../generated/v1/client.js";

export const options = { baseUrl: "https://petstore.example/v1" };
export const client = createClient(options);
export const bare = createBareClient(options);
export const { createPet, getPet: bound } = client;
export const calls = { list: client.listPets, getPet, listPets };
export const load = (petId: number) => client.getPet({ path: { petId } });
export const loadByPath = () => client.GET("/pets", {});
export const names = async () => (await listPets(bare).orThrow()).map(({ name }) => name);
export const items = () => client.listPets.items();
export const pages = () => listPets.pages(bare);
export const query = queryOptions(client, client.listPets);
export const infinite = infiniteQueryOptions(bare, listPets);
export const mutation = mutationOptions(client, client.createPet);
export const key: CallKey = queryKey(listPets);
export const cached = swr(client, client.listPets);
export const message = (error: unknown) => (client.getPet.isError(error) ? error : undefined);
