/**
 * Marks a property as `readOnly`: it is in responses and not in requests.
 * @example
 * interface Account {
 *   id: $Read<number>;
 *   name: string;
 * }
 * const sent: Writable<Account> = { name: "Ada" };
 */
export interface $Read<Type> {
  readonly $read: Type;
}

/**
 * Marks a property as `writeOnly`: it is in requests and not in responses.
 * @example
 * interface Account {
 *   name: string;
 *   password: $Write<string>;
 * }
 * const received: Readable<Account> = { name: "Ada" };
 */
export interface $Write<Type> {
  readonly $write: Type;
}

/**
 * The value of a binary request body, which is sent unchanged.
 * @example
 * const text: Bytes = new TextEncoder().encode("id,name");
 * const image: Bytes = new Blob([new Uint8Array([137, 80, 78, 71])], { type: "image/png" });
 */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

/**
 * A file of a multipart form. A `File` is sent with its name.
 * @example
 * const photo: FilePart = new File(["…"], "rex.png", { type: "image/png" });
 */
export type FilePart = Blob | ArrayBuffer | ArrayBufferView;

/** Objects that are not JSON; views leave them unchanged. */
type Opaque = Bytes | FormData | URLSearchParams | ((...parameters: never) => unknown);

/** Omits a property with this mark. The type `never` is assignable to every mark, and has none. */
type KeyWithout<Mark, Key, Type> = [NonNullable<Type>] extends [never]
  ? Key
  : NonNullable<Type> extends Mark
    ? never
    : Key;

/**
 * The type of a received value: omits `writeOnly` properties and removes the mark of `readOnly` ones.
 * `{ id: $Read<number>; secret: $Write<string> }` becomes `{ id: number }`.
 * @example
 * const received: Readable<{ id: $Read<number>; secret: $Write<string> }> = { id: 7 };
 */
export type Readable<Type> =
  Type extends $Read<infer Inner>
    ? Readable<Inner>
    : Type extends Opaque
      ? Type
      : Type extends AsyncIterable<infer Item>
        ? AsyncIterable<Readable<Item>>
        : Type extends readonly unknown[]
          ? ReadableItems<Type>
          : Type extends object
            ? { [Key in keyof Type as KeyWithout<$Write<unknown>, Key, Type[Key]>]: Readable<Type[Key]> }
            : Type;

/** Tuples are mapped item by item. Arrays are not: a recursive array type would never end. */
type ReadableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? Items extends unknown[]
    ? Readable<Items[number]>[]
    : readonly Readable<Items[number]>[]
  : { [Index in keyof Items]: Readable<Items[Index]> };

/**
 * The type of a sent value: omits `readOnly` properties and removes the mark of `writeOnly` ones.
 * `{ id: $Read<number>; secret: $Write<string> }` becomes `{ secret: string }`.
 * @example
 * const sent: Writable<{ id: $Read<number>; secret: $Write<string> }> = { secret: "opensesame" };
 */
export type Writable<Type> =
  Type extends $Write<infer Inner>
    ? Writable<Inner>
    : Type extends Opaque
      ? Type
      : Type extends readonly unknown[]
        ? WritableItems<Type>
        : Type extends object
          ? Type extends AsyncIterable<infer Item>
            ? AsyncIterable<Writable<Item>>
            : Type extends Iterable<infer Item>
              ? Iterable<Writable<Item>>
              : { [Key in keyof Type as KeyWithout<$Read<unknown>, Key, Type[Key]>]: Writable<Type[Key]> }
          : Type;

type WritableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? Items extends unknown[]
    ? Writable<Items[number]>[]
    : readonly Writable<Items[number]>[]
  : { [Index in keyof Items]: Writable<Items[Index]> };

/**
 * The type of a call's argument: arrays may be readonly, at any depth, because a call does not change them.
 * `{ tags: string[] }` becomes `{ tags: readonly string[] }`.
 * @example
 * const TAGS = ["small", "brown"] as const;
 * const body: Sendable<{ tags: string[] }> = { tags: TAGS };
 */
export type Sendable<Type> = Type extends Opaque
  ? Type
  : Type extends readonly unknown[]
    ? SendableItems<Type>
    : Type extends object
      ? Type extends AsyncIterable<infer Item>
        ? AsyncIterable<Sendable<Item>>
        : Type extends Iterable<infer Item>
          ? Iterable<Sendable<Item>>
          : { [Key in keyof Type]: Sendable<Type[Key]> | Inherited<Type, Key> }
      : Type;

/** The type of an optional member that every object inherits: without it, `{}` would not be assignable to `{ toString?: string }`. */
type Inherited<Type, Key extends keyof Type> = undefined extends Type[Key]
  ? Key extends keyof ObjectMembers
    ? ObjectMembers[Key]
    : never
  : never;

// eslint-disable-next-line @typescript-eslint/no-wrapper-object-types -- it has the members that `object` and `{}` have without naming them
type ObjectMembers = Object;

type SendableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? readonly Sendable<Items[number]>[]
  : { readonly [Index in keyof Items]: Sendable<Items[Index]> };
