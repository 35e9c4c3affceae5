/* eslint-disable @typescript-eslint/ban-ts-comment, @typescript-eslint/consistent-type-imports -- the packages are optional peers: without one, its type is an error, which is `any` */
/** @ts-ignore */
type CoreTag<Key, Data> = import("@tanstack/query-core").DataTag<Key, Data>;
/** @ts-ignore */
type ReactTag<Key, Data> = import("@tanstack/react-query").DataTag<Key, Data>;
/* eslint-enable @typescript-eslint/ban-ts-comment, @typescript-eslint/consistent-type-imports */

/** Tuples, because a condition on an error is an error. */
type IfAny<Type, Yes, No> = [0] extends [1 & Type] ? Yes : No;

/**
 * A key with the type of its data, by which `setQueryData` and `getQueryData` of TanStack Query know it. Its tag is a symbol of
 * `@tanstack/query-core`; package managers that hide the dependencies of dependencies show it by `@tanstack/react-query`. Without
 * both, it is the key.
 */
export type Tagged<Key, Data> = IfAny<
  CoreTag<Key, Data>,
  IfAny<ReactTag<Key, Data>, Key, ReactTag<Key, Data>>,
  CoreTag<Key, Data>
>;
