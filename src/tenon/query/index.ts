export { type PageParam } from "../client/pages.js";
export type { CallKey, PagesKey, Selecting } from "./keys.js";
export type { Page } from "./load.js";
export {
  type PageKey,
  swr,
  type SwrArguments,
  swrInfinite,
  type SwrInfiniteArguments,
  swrMutation,
  type SwrMutationArguments,
} from "./swr.js";
export {
  type InfiniteData,
  infiniteQueryOptions,
  type InfiniteQueryOptions,
  type MutationOptions,
  mutationOptions,
  queryKey,
  type QueryOptions,
  queryOptions,
} from "./tanstack.js";
