import { expect, test } from "@jest/globals";
import type { $Read, $Write, Readable, Sendable, Writable } from "tenon/client";

/** Never called: compiling these tests is running them. */
type Exactly<Wanted> = <Found>(..._: Same<Found, Wanted> extends true ? [] : [never]) => void;

// The compiler compares two conditional types only when what they depend on is identical, modifiers included.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

declare const is: <Wanted>() => Exactly<Wanted>;

interface Account {
  readonly id: $Read<number>;
  name: string;
  nick?: string;
  secret: $Write<string>;
  hint?: $Write<string | null>;
  seen?: $Read<string>;
  parent?: Account;
  children: Account[];
}

interface Received {
  readonly id: number;
  name: string;
  nick?: string;
  seen?: string;
  parent?: Received;
  children: Received[];
}

interface Sent {
  name: string;
  nick?: string;
  secret: string;
  hint?: string | null;
  parent?: Sent;
  children: Sent[];
}

type Json = string | number | Json[] | { [key: string]: Json };
type Nested = readonly Nested[] | { secret: $Write<string>; inner?: Nested };

export function circles(
  received: Readable<Account>,
  sent: Writable<Account>,
  json: Readable<Json>,
  nested: Readable<Nested>,
): unknown {
  const there: [Received, Sent, Json] = [received, sent, json];
  const back: [Readable<Account>, Writable<Account>, Readable<Json>] = there;
  const mistakes = [
    // @ts-expect-error it is not received
    received.secret,
    // @ts-expect-error nor anywhere below
    received.parent?.children[0]?.secret,
    // @ts-expect-error it is not sent
    sent.id,
    // @ts-expect-error nor in a choice of itself
    !Array.isArray(nested) && "inner" in nested && nested.secret,
  ];
  return [back, mistakes];
}

export function members(): void {
  is<{ b: 1 }>()<Readable<{ a: $Write<1>; b: 1 }>>();
  is<{ a?: string }>()<Readable<{ a?: $Read<string> }>>();
  is<{ readonly a: unknown; b: never; c: null }>()<Readable<{ readonly a: unknown; b: never; c: null }>>();
  is<{ a: 1 }>()<Writable<{ a: $Write<1>; b: $Read<1> }>>();
  is<{ a?: 1 | null }>()<Writable<{ a?: $Write<1 | null> }>>();
  is<Record<string, { a: 1 }>>()<Readable<Record<string, { a: $Read<1> }>>>();
  is<Record<string, unknown>>()<Readable<Record<string, unknown>>>();
}

export function required(): void {
  // What types.ts writes for a property that another part of `allOf` declares.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  type Required<Type> = { a: Type } & { a: {} | null; b: 2 };
  is<{ b: 2 }>()<Writable<Required<$Read<1>>>>();
  is<{ a: 1; b: 2 }>()<Writable<Required<$Write<1>>>>();
  is<{ a: 1; b: 2 }>()<Readable<Required<$Read<1>>>>();
}

export function lists(): void {
  interface Item {
    a: $Read<1>;
    b: $Write<2>;
  }
  is<string[]>()<Readable<string[]>>();
  is<readonly string[]>()<Readable<readonly string[]>>();
  is<{ a: 1 }[]>()<Readable<Item[]>>();
  is<readonly { a: 1 }[]>()<Readable<readonly Item[]>>();
  is<[{ a: 1 }, string]>()<Readable<[Item, string]>>();
  is<[{ a: 1 }, string?]>()<Readable<[Item, string?]>>();
  is<readonly [1, { a: 1 }]>()<Readable<readonly [1, Item]>>();
  is<[1, ...{ a: 1 }[]]>()<Readable<[1, ...Item[]]>>();
  is<[1, ...{ b: 2 }[]]>()<Writable<[1, ...Item[]]>>();
  is<readonly { b: 2 }[]>()<Writable<readonly Item[]>>();
}

export function readonlyArrays(): unknown {
  is<readonly string[]>()<Sendable<string[]>>();
  is<readonly [1, readonly 2[]]>()<Sendable<[1, 2[]]>>();
  is<{ a?: readonly { b: readonly 1[] }[] | null }>()<Sendable<{ a?: { b: 1[] }[] | null }>>();
  is<Record<string, readonly unknown[]>>()<Sendable<Record<string, unknown[]>>>();
  is<unknown>()<Sendable<unknown>>();
  is<Blob | Uint8Array | FormData>()<Sendable<Blob | Uint8Array | FormData>>();
  const json: Sendable<Json> = [{ a: [1] } as const];
  return json;
}

export function others(): void {
  type Union = { kind: "a"; a: $Read<1> } | { kind: "b"; b: $Write<1> } | null;
  is<{ kind: "a"; a: 1 } | { kind: "b" } | null>()<Readable<Union>>();
  is<{ kind: "a" } | { kind: "b"; b: 1 } | null>()<Writable<Union>>();
  is<unknown>()<Readable<unknown>>();
  is<never>()<Readable<never>>();
  is<Blob | Uint8Array | FormData>()<Writable<Blob | Uint8Array | FormData>>();
}

export function notEverythingPasses(): void {
  // @ts-expect-error the property is optional
  is<{ a: 1 }>()<Readable<{ a?: 1 }>>();
  // @ts-expect-error the array is readonly
  is<string[]>()<Readable<readonly string[]>>();
}

test("readOnly and writeOnly are told apart by the compiler", () => {
  expect([circles, members, required, lists, readonlyArrays, others, notEverythingPasses]).toHaveLength(7);
});
