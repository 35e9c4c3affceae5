import { isNode } from "../../document/node.js";
import type { Pairs } from "../pairs.js";
import {
  describeType,
  findArrayType,
  findObjectType,
  getPropertyType,
  type WireValue,
} from "../text-value.js";
import type { ObjectType, ValueType } from "../value-type.js";
import { ValueProblem } from "../value-problem.js";
import {
  type Decode,
  type FormattedValue,
  formatValues,
  type ParsedValue,
  parseValues,
  refuse as refuseValue,
  type TextPair,
} from "./parts.js";

/** The values of one name: `filter[age][min]=1` has the keys `age` and `min`, `filter=1` has none. */
interface Entry {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Returns the keys of a name that belongs to a `deepObject`: `filter[age][min]` has `age` and `min`, `filter` has none.
 * @returns undefined for any other name.
 */
export function getDeepKeys(name: string, owner: string): readonly string[] | undefined {
  if (!name.startsWith(owner)) return undefined;
  const brackets = name.slice(owner.length);
  if (brackets === "") return [];
  return /^(\[[^[\]]*\])+$/.test(brackets) ? brackets.slice(1, -1).split("][") : undefined;
}

/**
 * Parses `filter[a]=1&filter[b]=2`. Beyond the specification, these common forms are accepted:
 *
 * - nested objects: `filter[a][b]=1`;
 * - arrays as a repeated name, with empty brackets, or by index with items of any type (`items[0][price]=1`);
 * - values without brackets, if the type allows plain values.
 * @see https://spec.openapis.org/oas/v3.1.1#style-values
 */
export function parseDeepObject(
  pairs: Pairs,
  { name, type }: Pick<ParsedValue, "name" | "type">,
  decode: Decode,
): WireValue | undefined {
  const entries = [...pairs].flatMap(([key, texts]): Entry[] => {
    const keys = getDeepKeys(key, name);
    return keys === undefined ? [] : [{ keys, texts }];
  });
  return entries.length === 0 ? undefined : parseEntries(entries, type, { decode, path: [] });
}

interface Place {
  readonly decode: Decode;
  readonly path: readonly string[];
}

function parseEntries(entries: readonly Entry[], type: ValueType, place: Place): WireValue {
  const array = findArrayType(type);
  const object = findObjectType(type);
  const plain = entries.filter(({ keys }) => keys.length === 0);
  const [first] = plain;
  if (first !== undefined) {
    if (entries.length > 1) refuse("must be written in one way: with brackets or without", place);
    if (array === undefined && object === type) refuse("must be an object", place);
    return parseValues(first.texts, type, place.decode, place.path);
  }
  if (array && (object === undefined || entries.every(({ keys: [key = ""] }) => /^\d*$/.test(key))))
    return parseArray(groupByKey(entries), array.items, place);
  if (object) return parseObject(groupByKey(entries), object, place);
  return refuse(`must be ${describeType(type)}`, place);
}

function parseObject(
  byKey: ReadonlyMap<string, readonly Entry[]>,
  type: ObjectType,
  { decode, path }: Place,
): ReadonlyMap<string, WireValue> {
  return new Map(
    [...byKey].map(([key, entries]) => {
      const inner = { decode, path: [...path, key] };
      const propertyType = getPropertyType(type, key) ?? refuse("is unknown", inner);
      return [key, parseEntries(entries, propertyType, inner)];
    }),
  );
}

/** Parses an array by the number of received indexes, so that `a[99999999]=1` does not allocate a huge array. */
function parseArray(
  byKey: ReadonlyMap<string, readonly Entry[]>,
  type: ValueType,
  place: Place,
): readonly WireValue[] {
  const unnumbered = byKey.get("");
  if (unnumbered !== undefined && byKey.size === 1) return parseUnnumbered(unnumbered, type, place);
  return Array.from({ length: byKey.size }, (_, index) => {
    const entries = byKey.get(String(index)) ?? refuse("must have an index for each item, from 0 on", place);
    return parseEntries(entries, type, { ...place, path: [...place.path, String(index)] });
  });
}

/**
 * Parses `a[]=1&a[]=2`, and `a[][b]=1&a[][b]=2` with a single name. A second name, as in `a[][c]=3`, is ambiguous: some programs
 * start a new item, others add to the last one. Items that are arrays are ambiguous too.
 */
function parseUnnumbered(entries: readonly Entry[], type: ValueType, place: Place): readonly WireValue[] {
  const [{ keys, texts } = { keys: [], texts: [] }, ...others] = entries;
  const items = texts.map((text, index) =>
    parseEntries([{ keys, texts: [text] }], type, { ...place, path: [...place.path, String(index)] }),
  );
  if (others.length > 0 || (items.length > 1 && !items.every(isOneText)))
    refuse("must have an index for each item, because empty brackets are ambiguous here", place);
  return items;
}

function isOneText(value: WireValue): boolean {
  if (typeof value === "string") return true;
  return value instanceof Map && [...(value as ReadonlyMap<string, WireValue>).values()].every(isOneText);
}

/** Groups entries by their first key and removes it from them. */
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

/**
 * Formats `filter[age][min]=1`. Beyond the specification, objects in objects and the items of arrays by index:
 * `items[0][price]=1`.
 * @param key Name with the brackets so far.
 */
export function formatDeepObject(
  parameter: FormattedValue,
  value: unknown,
  key = parameter.name,
): readonly TextPair[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => formatDeepObject(parameter, item, `${key}[${index}]`));
  if (!isNode(value)) return formatValues(parameter, encodeURIComponent(key), value);
  return Object.entries(value).flatMap(([property, part]) => {
    if (/[[\]]/.test(property)) refuseValue(parameter, "the names of its properties cannot have brackets");
    return part === undefined ? [] : formatDeepObject(parameter, part, `${key}[${property}]`);
  });
}
