import type { ObjectType, ValueType } from "./operation.js";
import {
  describeType,
  findArrayType,
  getPropertyType,
  isObjectType,
  type WireValue,
} from "./plain-values.js";
import type { Pairs } from "./query.js";
import { type Decode, readValues } from "./style-values.js";
import { ValueProblem } from "./value-problem.js";

/** The values of one name: `filter[age][min]=1` has the keys `age` and `min`. */
interface Entry {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

/**
 * The keys of a name that belongs to a `deepObject`: `filter[age][min]` has `age` and `min` in `filter`.
 * @returns undefined for any other name.
 */
export function getDeepKeys(name: string, parameter: string): readonly string[] | undefined {
  const brackets = name.startsWith(parameter) ? name.slice(parameter.length) : "";
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined;
  return brackets.slice(1, -1).split("][");
}

/**
 * Reads `filter[a]=1&filter[b]=2`. Beyond the specification, as is common practice: objects in objects (`filter[a][b]=1`),
 * and arrays as a repeated name, with empty brackets or without (`filter[a]=1&filter[a]=2`, `filter[a][]=1`).
 * @see https://spec.openapis.org/oas/v3.1.1#style-values
 */
export function readDeepObject(
  pairs: Pairs,
  { name, type }: { readonly name: string; readonly type: ObjectType },
  decode: Decode,
): WireValue | undefined {
  const entries = [...pairs].flatMap(([key, texts]): Entry[] => {
    const keys = getDeepKeys(key, name);
    return keys === undefined ? [] : [{ keys, texts }];
  });
  return entries.length === 0 ? undefined : readObject(entries, type, { decode, path: [] });
}

interface Place {
  readonly decode: Decode;
  readonly path: readonly string[];
}

function readObject(
  entries: readonly Entry[],
  type: ObjectType,
  { decode, path }: Place,
): ReadonlyMap<string, WireValue> {
  const byKey = new Map<string, Entry[]>();
  for (const { keys, texts } of entries) {
    const [key, ...inner] = keys;
    if (key === undefined) throw new ValueProblem("must be an object", path);
    byKey.set(key, [...(byKey.get(key) ?? []), { keys: inner, texts }]);
  }
  return new Map(
    [...byKey].map(([key, inner]) => {
      const propertyType = getPropertyType(type, key);
      if (propertyType === undefined) throw new ValueProblem("is unknown", [...path, key]);
      return [key, readProperty(inner, propertyType, { decode, path: [...path, key] })];
    }),
  );
}

function readProperty(entries: readonly Entry[], type: ValueType, place: Place): WireValue {
  if (isObjectType(type)) return readObject(entries, type, place);
  const isArray = findArrayType(type) !== undefined;
  const flat = entries.every(
    ({ keys }) => keys.length === 0 || (isArray && keys.length === 1 && keys[0] === ""),
  );
  if (!flat) throw new ValueProblem(`must be ${describeType(type)}`, place.path);
  return readValues(
    entries.flatMap(({ texts }) => texts),
    type,
    place,
  );
}
