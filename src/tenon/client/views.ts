/** Marks a property as `readOnly`: it is received and not sent. */
export interface $Read<Type> {
  readonly $read: Type;
}

/** Marks a property as `writeOnly`: it is sent and not received. */
export interface $Write<Type> {
  readonly $write: Type;
}

/** What goes into a body of bytes, as it is. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

/** A file of a multipart form. One that is a `File` is sent with its name. */
export type FilePart = Blob | ArrayBuffer | ArrayBufferView;

/** Objects that are no JSON and stay what they are. */
type Opaque = Bytes | FormData | URLSearchParams | ((...parameters: never) => unknown);

/** Leaves out a property with this mark. A type that allows nothing has no mark, although it is assignable to one. */
type KeyWithout<Mark, Key, Type> = [NonNullable<Type>] extends [never]
  ? Key
  : NonNullable<Type> extends Mark
    ? never
    : Key;

/**
 * What a client receives: without what is `writeOnly`, and what is `readOnly` without its mark.
 * `{ id: $Read<number>; secret: $Write<string> }` becomes `{ id: number }`.
 */
export type Readable<Type> =
  Type extends $Read<infer Inner>
    ? Readable<Inner>
    : Type extends Opaque
      ? Type
      : Type extends readonly unknown[]
        ? ReadableItems<Type>
        : Type extends object
          ? { [Key in keyof Type as KeyWithout<$Write<unknown>, Key, Type[Key]>]: Readable<Type[Key]> }
          : Type;

/** A tuple is mapped item by item; an array must not be, because one of itself would have no end. */
type ReadableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? Items extends unknown[]
    ? Readable<Items[number]>[]
    : readonly Readable<Items[number]>[]
  : { [Index in keyof Items]: Readable<Items[Index]> };

/**
 * What a client sends: without what is `readOnly`, and what is `writeOnly` without its mark.
 * `{ id: $Read<number>; secret: $Write<string> }` becomes `{ secret: string }`.
 */
export type Writable<Type> =
  Type extends $Write<infer Inner>
    ? Writable<Inner>
    : Type extends Opaque
      ? Type
      : Type extends readonly unknown[]
        ? WritableItems<Type>
        : Type extends object
          ? { [Key in keyof Type as KeyWithout<$Read<unknown>, Key, Type[Key]>]: Writable<Type[Key]> }
          : Type;

type WritableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? Items extends unknown[]
    ? Writable<Items[number]>[]
    : readonly Writable<Items[number]>[]
  : { [Index in keyof Items]: Writable<Items[Index]> };

/**
 * What a call takes: arrays may be readonly, at any depth, because nobody changes them.
 * `{ tags: string[] }` becomes `{ tags: readonly string[] }`.
 */
export type Sendable<Type> = Type extends Opaque
  ? Type
  : Type extends readonly unknown[]
    ? SendableItems<Type>
    : Type extends object
      ? { [Key in keyof Type]: Sendable<Type[Key]> }
      : Type;

type SendableItems<Items extends readonly unknown[]> = Items[number][] extends Items
  ? readonly Sendable<Items[number]>[]
  : { readonly [Index in keyof Items]: Sendable<Items[Index]> };
