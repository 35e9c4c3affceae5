import fc, { type Arbitrary } from "fast-check";
import type { FlatSchema } from "./flatten.js";
import { mix } from "./mix.js";
import { isGenerous, type Leaves, type MakeValues, type Place } from "./place.js";
import { toRegExp } from "./regexp.js";
import type { Schema } from "./schema.js";

interface Members {
  readonly make: MakeValues;
  readonly strings: Leaves["strings"];
  readonly optional: number;
}

/** Properties of a map whose names the schema leaves open. */
const USUAL_ENTRIES = 2;

/** Stands for an optional property that is not there. */
const ABSENT = Symbol("absent");

/** Objects of a schema; undefined where it requires a property of which there is no value. */
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
  // What is declared wins over a name that was made up.
  return fc.tuple(some, declared).map(([more, own]) => toObject([...more, ...own]));
}

/** The schema of a property: what declares it, and every pattern that its name matches. */
function findSchema(
  { properties = {}, patternProperties = {}, additionalProperties = true }: FlatSchema,
  name: string,
): Schema {
  const patterns = Object.entries(patternProperties).filter(([pattern]) => toRegExp(pattern)?.test(name));
  const schemas = [
    ...(Object.hasOwn(properties, name) ? [properties[name] ?? true] : []),
    ...patterns.map(([, schema]) => schema),
  ];
  const [only = additionalProperties] = schemas;
  return schemas.length > 1 ? { allOf: schemas } : only;
}

function describesOthers({ additionalProperties, patternProperties }: FlatSchema): boolean {
  return typeof additionalProperties === "object" || patternProperties !== undefined;
}

/** A name that the schema leaves open, and its value; undefined where it leaves none open. */
function toOthers(
  { patternProperties = {}, additionalProperties = true, propertyNames }: FlatSchema,
  place: Place,
  { make, strings }: Omit<Members, "optional">,
): Arbitrary<readonly [string, unknown]> | undefined {
  const [matching] = typeof additionalProperties === "object" ? [] : Object.entries(patternProperties);
  const [pattern, schema] = matching ?? [undefined, additionalProperties];
  const named =
    propertyNames === undefined ? undefined : make({ allOf: [{ type: ["string"] }, propertyNames] }, place);
  const names = named ?? strings(pattern === undefined ? {} : { pattern }, place.name);
  const values = make(schema, place);
  if (names === undefined || values === undefined) return undefined;
  return fc.tuple(names, values).map(([name, value]) => [String(name), value] as const);
}
