import type { ObjectType, ValueType } from "../operation.js";
import {
  describeType,
  findArrayType,
  findObjectType,
  getPropertyType,
  type WireValue,
} from "./plain-values.js";
import type { Pairs } from "./query.js";
import { type Decode, readValues } from "./style-values.js";
import { ValueProblem } from "./value-problem.js";

/** The values of one name: `filter[age][min]=1` has the keys `age` and `min`, `filter=1` has none. */
interface Entry {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

/**
 * The keys of a name that belongs to a `deepObject`: `filter[age][min]` has `age` and `min` in `filter`, `filter` itself none.
 * @returns undefined for any other name.
 */
export function getDeepKeys(name: string, owner: string): readonly string[] | undefined {
  if (!name.startsWith(owner)) return undefined;
  const brackets = name.slice(owner.length);
  if (brackets === "") return [];
  return /^(\[[^[\]]*\])+$/.test(brackets) ? brackets.slice(1, -1).split("][") : undefined;
}

/**
 * Reads `filter[a]=1&filter[b]=2`. Beyond the specification, as is common practice: objects in objects (`filter[a][b]=1`);
 * arrays as a repeated name, with empty brackets, and by index, whose items may be anything (`items[0][price]=1`); and
 * values that have no brackets at all, where the type has some.
 * @see https://spec.openapis.org/oas/v3.1.1#style-values
 */
export function readDeepObject(
  pairs: Pairs,
  { name, type }: { readonly name: string; readonly type: ValueType },
  decode: Decode,
): WireValue | undefined {
  const entries = [...pairs].flatMap(([key, texts]): Entry[] => {
    const keys = getDeepKeys(key, name);
    return keys === undefined ? [] : [{ keys, texts }];
  });
  return entries.length === 0 ? undefined : readEntries(entries, type, { decode, path: [] });
}

interface Place {
  readonly decode: Decode;
  readonly path: readonly string[];
}

function readEntries(entries: readonly Entry[], type: ValueType, place: Place): WireValue {
  const array = findArrayType(type);
  const object = findObjectType(type);
  const plain = entries.filter(({ keys }) => keys.length === 0);
  const [first] = plain;
  if (first !== undefined) {
    if (entries.length > 1) refuse("must be written in one way: with brackets or without", place);
    if (array === undefined && object === type) refuse("must be an object", place);
    return readValues(first.texts, type, place);
  }
  if (array && (object === undefined || entries.every(({ keys: [key = ""] }) => /^\d*$/.test(key))))
    return readArray(groupByKey(entries), array.items, place);
  if (object) return readObject(groupByKey(entries), object, place);
  return refuse(`must be ${describeType(type)}`, place);
}

function readObject(
  byKey: ReadonlyMap<string, readonly Entry[]>,
  type: ObjectType,
  { decode, path }: Place,
): ReadonlyMap<string, WireValue> {
  return new Map(
    [...byKey].map(([key, entries]) => {
      const inner = { decode, path: [...path, key] };
      const propertyType = getPropertyType(type, key) ?? refuse("is unknown", inner);
      return [key, readEntries(entries, propertyType, inner)];
    }),
  );
}

/** Counts the indexes that came instead of trusting them: `a[99999999]=1` is no reason to make room for so many. */
function readArray(
  byKey: ReadonlyMap<string, readonly Entry[]>,
  type: ValueType,
  place: Place,
): readonly WireValue[] {
  const unnumbered = byKey.get("");
  if (unnumbered !== undefined && byKey.size === 1) return readUnnumbered(unnumbered, type, place);
  return Array.from({ length: byKey.size }, (_, index) => {
    const entries = byKey.get(String(index)) ?? refuse("must have an index for each item, from 0 on", place);
    return readEntries(entries, type, { ...place, path: [...place.path, String(index)] });
  });
}

/**
 * `a[]=1&a[]=2`, and `a[][b]=1&a[][b]=2` with one name. With another, `a[][c]=3`, some programs read more items and some
 * fuller ones; so they do of values that are arrays themselves.
 */
function readUnnumbered(entries: readonly Entry[], type: ValueType, place: Place): readonly WireValue[] {
  const [{ keys, texts } = { keys: [], texts: [] }, ...others] = entries;
  const items = texts.map((text, index) =>
    readEntries([{ keys, texts: [text] }], type, { ...place, path: [...place.path, String(index)] }),
  );
  if (others.length > 0 || (items.length > 1 && !items.every(isOneText)))
    refuse("must have an index for each item, which tells what belongs together", place);
  return items;
}

function isOneText(value: WireValue): boolean {
  if (typeof value === "string") return true;
  return value instanceof Map && [...(value as ReadonlyMap<string, WireValue>).values()].every(isOneText);
}

/** By the first key, which the entries then lack. */
function groupByKey(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const byKey = new Map<string, Entry[]>();
  for (const { keys, texts } of entries) {
    const [key = "", ...inner] = keys;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [{ keys: inner, texts }]);
    else group.push({ keys: inner, texts });
  }
  return byKey;
}

function refuse(problem: string, { path }: Place): never {
  throw new ValueProblem(problem, path);
}
