import fc, { type Arbitrary } from "fast-check";
import { isAnything, type Schema } from "tenon/core/schema";
import { intersect, type FlatSchema, getOwn } from "./flatten.js";
import { mix } from "./mix.js";
import { isGenerous, type Leaves, type MakeValues, type Place } from "./place.js";
import { toRegExp } from "./regexp.js";

interface Members {
  readonly make: MakeValues;
  readonly strings: Leaves["strings"];
  readonly optional: number;
}

/** Number of entries of a map. */
const USUAL_ENTRIES = 2;

/** The value of an optional property that is omitted. */
const ABSENT = Symbol("absent");

/** Makes objects of a schema; undefined when a required property has no value. */
export function toObjects(
  flat: FlatSchema,
  place: Place,
  { make, strings, optional }: Members,
): Arbitrary<object> | undefined {
  const { properties = {}, required = [], maxProperties = Infinity, minProperties = 0 } = flat;
  const toPlace = (name: string): Place => ({ name, left: place.left - 1 });
  const members: (readonly [string, Arbitrary<unknown>])[] = [];
  const isRequired = new Set(required);
  let room = maxProperties - required.length;
  for (const name of new Set([...Object.keys(properties), ...required])) {
    if (!isRequired.has(name) && (!isGenerous(place) || room <= 0)) continue;
    const values = make(findSchema(flat, name), toPlace(name));
    if (values === undefined && isRequired.has(name)) return undefined;
    if (values === undefined) continue;
    const isSpare = !isRequired.has(name) && members.length >= minProperties;
    if (!isRequired.has(name)) room -= 1;
    members.push([name, isSpare ? mix(values, fc.constant(ABSENT), optional) : values]);
  }

  const missing = minProperties - members.length;
  const isMap = Object.keys(properties).length === 0 && describesOthers(flat);
  const usual = isMap && isGenerous(place) ? Math.min(USUAL_ENTRIES, Math.max(0, room)) : 0;
  const count = Math.max(missing, usual);
  const declared = fc
    .tuple(...members.map(([, values]) => values))
    .map((values) => members.map(([name], index) => [name, values[index]] as const));
  const toObject = (entries: readonly (readonly [string, unknown])[]): object =>
    // Defines members, where an assignment to "__proto__" would not.
    Object.fromEntries(entries.filter(([, value]) => value !== ABSENT));
  if (count <= 0) return declared.map(toObject);
  const others = toOthers(flat, toPlace("key"), { make, strings });
  if (others === undefined) return missing > 0 ? undefined : declared.map(toObject);
  const some = fc.array(others, { minLength: count, maxLength: count });
  // A declared property wins over a generated one of the same name.
  return fc.tuple(some, declared).map(([more, own]) => toObject([...more, ...own]));
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

function describesOthers({ additionalProperties, patternProperties }: FlatSchema): boolean {
  return isDescribed(additionalProperties) || patternProperties !== undefined;
}

/** Tests whether a schema restricts the values that it allows. */
function isDescribed(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.never !== true && !isAnything(schema);
}

/** Makes undeclared properties, each with a name; undefined when the schema allows none. */
function toOthers(
  { pointer, patternProperties = {}, additionalProperties = { pointer }, propertyNames }: FlatSchema,
  place: Place,
  { make, strings }: Omit<Members, "optional">,
): Arbitrary<readonly [string, unknown]> | undefined {
  const [matching] = isDescribed(additionalProperties) ? [] : Object.entries(patternProperties);
  const [pattern, schema] = matching ?? [undefined, additionalProperties];
  const named =
    propertyNames === undefined
      ? undefined
      : make(intersect([{ pointer, type: ["string"] }, propertyNames]), place);
  const names = named ?? strings({ pointer, ...(pattern !== undefined && { pattern }) }, place.name);
  const values = make(schema, place);
  if (names === undefined || values === undefined) return undefined;
  return fc.tuple(names, values).map(([name, value]) => [String(name), value] as const);
}
