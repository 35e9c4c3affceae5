import fc, { type Arbitrary } from "fast-check";
import { getOwn } from "tenon/core/document";
import { isAnything, type Schema } from "tenon/core/schema";
import { type FlatSchema, intersect } from "./flatten.js";
import { isGenerous, type MakeSized, mix, type Place, type SizedValues, VALUE_SIZE } from "./place.js";
import { toRegExp } from "./regexp.js";

interface Members {
  readonly make: MakeSized;
  /** Names of undeclared properties. Default: strings. */
  readonly names: Arbitrary<string> | undefined;
  readonly optional: number;
  /** True to make entries beside declared properties. */
  readonly isOpen: boolean;
}

/** Number of entries of a map. */
const USUAL_ENTRIES = 2;

/** The value of an optional property that is omitted. */
const ABSENT = Symbol("absent");

/** Makes objects of a schema; undefined when a required property has no value. */
export function toObjects(
  flat: FlatSchema,
  place: Place,
  { make, names, optional, isOpen }: Members,
): SizedValues | undefined {
  const { properties = {}, required = [], maxProperties = Infinity, minProperties = 0 } = flat;
  const toPlace = (name: string): Place => ({ name, left: place.left - 1 });
  const members: (readonly [string, Arbitrary<unknown>])[] = [];
  const isRequired = new Set(required);
  let room = maxProperties - required.length;
  let size = VALUE_SIZE;
  for (const name of new Set([...Object.keys(properties), ...required])) {
    if (!isRequired.has(name) && (!isGenerous(place) || room <= 0)) continue;
    const member = make(findSchema(flat, name), toPlace(name));
    if (member === undefined && isRequired.has(name)) return undefined;
    if (member === undefined) continue;
    const { values } = member;
    size += name.length + member.size;
    const isSpare = !isRequired.has(name) && members.length >= minProperties;
    if (!isRequired.has(name)) room -= 1;
    members.push([name, isSpare ? mix(values, fc.constant(ABSENT), optional) : values]);
  }

  const missing = minProperties - members.length;
  const describesOthers = isDescribed(flat.additionalProperties) || flat.patternProperties !== undefined;
  const isMap = (isOpen || Object.keys(properties).length === 0) && describesOthers;
  const usual = isMap && isGenerous(place) ? Math.min(USUAL_ENTRIES, Math.max(0, room)) : 0;
  const count = Math.max(missing, usual);
  const declared = fc
    .tuple(...members.map(([, values]) => values))
    .map((values) => members.map(([name], index) => [name, values[index]] as const));
  const toObject = (entries: readonly (readonly [string, unknown])[]): object =>
    // Defines members, where an assignment to "__proto__" would not.
    Object.fromEntries(entries.filter(([, value]) => value !== ABSENT));
  if (count <= 0) return { values: declared.map(toObject), size };
  const others = toOthers(flat, toPlace("key"), { make, names });
  if (others === undefined) return missing > 0 ? undefined : { values: declared.map(toObject), size };
  const some = fc.array(others.values, { minLength: count, maxLength: count });
  // A declared property wins over a generated one of the same name.
  const values = fc.tuple(some, declared).map(([more, own]) => toObject([...more, ...own]));
  return { values, size: size + count * others.size };
}

/** The schema of a property: its declaration, and that of every pattern that its name matches. */
function findSchema(
  { pointer, properties = {}, patternProperties = {}, additionalProperties = { pointer } }: FlatSchema,
  name: string,
): Schema {
  const patterns = Object.entries(patternProperties).filter(([pattern]) => toRegExp(pattern)?.test(name));
  const schemas = [getOwn(properties, name) ?? [], ...patterns.map(([, schema]) => schema)].flat();
  return schemas.length === 0 ? additionalProperties : intersect(schemas);
}

/** Tests whether a schema restricts the values that it allows. */
function isDescribed(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.never !== true && !isAnything(schema);
}

/** Makes undeclared properties, each with a name; undefined when the schema allows none. */
function toOthers(
  { pointer, patternProperties = {}, additionalProperties = { pointer }, propertyNames }: FlatSchema,
  place: Place,
  { make, names }: Pick<Members, "make" | "names">,
): { readonly values: Arbitrary<readonly [string, unknown]>; readonly size: number } | undefined {
  const [matching] = isDescribed(additionalProperties) ? [] : Object.entries(patternProperties);
  const [pattern, schema] = matching ?? [undefined, additionalProperties];
  const text: Schema = { pointer, type: ["string"] };
  const toNames = () => {
    if (propertyNames !== undefined) return make(intersect([propertyNames, text]), place);
    if (pattern !== undefined) return make({ ...text, pattern }, place);
    return names === undefined ? make(text, place) : { values: names, size: VALUE_SIZE };
  };
  const named = toNames();
  const member = make(schema, place);
  if (named === undefined || member === undefined) return undefined;
  const values = fc.tuple(named.values, member.values).map(([name, value]) => [String(name), value] as const);
  return { values, size: named.size + member.size };
}

/** Items of an array whose length is not limited. */
const USUAL_ITEMS = 3;

/** Candidates per item of an array whose items must differ. */
const TRIES = 4;

/** Makes arrays of a schema; undefined when a required item has no value. */
export function toArrays(
  flat: FlatSchema,
  place: Place,
  { make, fewest }: { readonly make: MakeSized; readonly fewest: number },
): SizedValues | undefined {
  const { pointer, minItems = 0, maxItems = Infinity, prefixItems = [], contains, uniqueItems } = flat;
  const { items = { pointer } } = flat;
  if (minItems > maxItems) return undefined;
  const inside = { ...place, left: place.left - 1 };
  const wanted = isGenerous(place) ? Math.max(minItems, prefixItems.length, fewest) : minItems;
  const first = [...prefixItems, ...(contains === undefined ? [] : [intersect([contains, items])])]
    .slice(0, Math.min(maxItems, Math.max(wanted, contains === undefined ? 0 : prefixItems.length + 1)))
    .map((item) => make(item, inside));
  const start = first.filter((item) => item !== undefined);
  if (start.length < first.length)
    return minItems > 0 ? undefined : { values: fc.constant([]), size: VALUE_SIZE };

  const least = Math.max(0, wanted - start.length);
  const usual = isGenerous(place) ? USUAL_ITEMS : 0;
  const most = Math.min(maxItems - start.length, Math.max(least, usual - start.length));
  const item = items.never || most <= 0 ? undefined : make(items, inside);
  const missing = minItems - start.length;
  const head = fc.tuple(...start.map(({ values }) => values));
  const size = start.reduce((sum, one) => sum + one.size, VALUE_SIZE);
  if (item === undefined) return missing > 0 ? undefined : { values: head, size };
  const rest =
    uniqueItems === true
      ? toSet(item.values, least, most)
      : fc.array(item.values, { minLength: least, maxLength: most });
  return {
    values: fc.tuple(head, rest).map(([some, more]) => [...some, ...more]),
    size: size + item.size * most * (uniqueItems === true ? TRIES : 1),
  };
}

/** Makes items that differ, chosen among more candidates: the schema may allow fewer values than it requires. */
function toSet(item: Arbitrary<unknown>, least: number, most: number): Arbitrary<readonly unknown[]> {
  const many = fc.array(item, { minLength: least * TRIES, maxLength: most * TRIES });
  return fc.tuple(many, fc.integer({ min: least, max: most })).map(([all, count]) => {
    const different = new Map(all.map((one) => [JSON.stringify(one), one]));
    return [...different.values()].slice(0, count);
  });
}
