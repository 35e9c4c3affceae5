import { type JsonType, typeOf } from "../schema/json-value.js";
import type { SchemaRegistry } from "../schema/registry.js";
import { otherProperties, type Schema } from "../schema/schema.js";
import { PLAIN_TYPES, type PlainType } from "./value-type.js";

/** The values that a schema allows, by type; undefined if it allows any value. */
export type Allowed = AllowedTypes | undefined;

export interface AllowedTypes {
  /** Allowed plain types; includes `integer` if it includes `number`. */
  readonly plain: readonly PlainType[];
  readonly array?: { readonly items: Later };
  readonly object?: AllowedObject;
}

export interface AllowedObject {
  readonly properties: ReadonlyMap<string, Later>;
  /** Type of `additionalProperties`; absent if the schema does not contain it, `none` if it is false. */
  readonly others?: "none" | { readonly value: Later };
}

/**
 * Computed on demand: a JSON value may contain itself, and its schema may have many components.
 * @throws {CircularSchemaError} when the schema contains itself.
 */
export type Later = () => Allowed;

interface Context {
  readonly registry: SchemaRegistry;
  /** References that lead to the schema. */
  readonly within: readonly string[];
}

/** Error for a schema that contains itself where a text cannot; the message completes `the value …`. */
export class CircularSchemaError extends Error {
  override readonly name = "CircularSchemaError";
}

/**
 * Finds the values that a schema allows, with its references followed. Types come from `type`, otherwise from the values of
 * `enum` and from other keywords; `allOf` narrows, `oneOf` and `anyOf` widen. A schema that consists of itself allows any value.
 */
export function findAllowed(schema: Schema, registry: SchemaRegistry): Allowed {
  return unlessCircular(() => allow(schema, { registry, within: [] }), undefined);
}

/** @returns `instead` when the requested schema contains itself. */
export function unlessCircular<Value>(ask: () => Value, instead: Value): Value {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CircularSchemaError) return instead;
    throw error;
  }
}

function allow(schema: Schema, context: Context): Allowed {
  const parts = [allowOwn(schema, context), ...(schema.allOf ?? []).map((part) => allow(part, context))];
  if (schema.reference !== undefined) parts.push(allowReferred(schema.reference, context));
  for (const choices of [schema.oneOf, schema.anyOf])
    if (choices) parts.push(choices.map((choice) => allow(choice, context)).reduce(widen));
  return parts.reduce(narrow);
}

function allowReferred(reference: string, { registry, within }: Context): Allowed {
  if (within.includes(reference))
    throw new CircularSchemaError(`contains itself, as ${registry.nameOf(reference) ?? reference}`);
  return allow(registry.get(reference), { registry, within: [...within, reference] });
}

function allowOwn(schema: Schema, context: Context): Allowed {
  if (schema.never === true) return { plain: [] };
  const { type, enum: values, properties, additionalProperties, items, prefixItems } = schema;
  const implied: readonly JsonType[] | undefined =
    (properties ?? additionalProperties) ? ["object"] : (items ?? prefixItems) ? ["array"] : undefined;
  const types = type ?? values?.map(typeOf) ?? implied;
  if (types === undefined) return undefined;
  const plain = PLAIN_TYPES.filter(
    (one) => types.includes(one) || (one === "integer" && types.includes("number")),
  );
  return {
    // An enum without null excludes it, whatever `type` says.
    plain: values && !values.includes(null) ? plain.filter((one) => one !== "null") : plain,
    ...(types.includes("array") && { array: { items: allowItems(schema, context) } }),
    ...(types.includes("object") && { object: allowObject(schema, context) }),
  };
}

/** Combines the types of all items: the position of an item does not determine its type. */
function allowItems({ items, prefixItems = [] }: Schema, context: Context): Later {
  const all = items === undefined ? prefixItems : [...prefixItems, items];
  return () => (all.length === 0 ? undefined : all.map((item) => allow(item, context)).reduce(widen));
}

function allowObject(schema: Schema, context: Context): AllowedObject {
  const additional = otherProperties(schema);
  const others =
    additional?.never === true ? "none" : additional && { value: () => allow(additional, context) };
  return {
    properties: new Map(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        () => allow(property, context),
      ]),
    ),
    ...(others && { others }),
  };
}

type Join = (a: Allowed, b: Allowed) => Allowed;

/** Returns the values that both allow. */
function narrow(a: Allowed, b: Allowed): Allowed {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    plain: a.plain.filter((type) => b.plain.includes(type)),
    ...(a.array && b.array && { array: { items: later(a.array.items, b.array.items, narrow) } }),
    ...(a.object && b.object && { object: combine(a.object, b.object, narrow) }),
  };
}

/** Returns the values that either allows. */
function widen(a: Allowed, b: Allowed): Allowed {
  if (a === undefined || b === undefined) return undefined;
  const array =
    a.array && b.array ? { items: later(a.array.items, b.array.items, widen) } : (a.array ?? b.array);
  const object = a.object && b.object ? combine(a.object, b.object, widen) : (a.object ?? b.object);
  return { plain: [...a.plain, ...b.plain], ...(array && { array }), ...(object && { object }) };
}

function later(a: Later, b: Later, join: Join): Later {
  return () => join(a(), b());
}

/** Combines the properties of both: `allOf` has all of them, and `oneOf` and `anyOf` may have either. */
function combine(a: AllowedObject, b: AllowedObject, join: Join): AllowedObject {
  const properties = new Map(a.properties);
  for (const [name, value] of b.properties) {
    const earlier = properties.get(name);
    properties.set(name, earlier === undefined ? value : later(earlier, value, join));
  }
  const open = [a.others, b.others].filter((others) => others !== undefined && others !== "none");
  const isClosed = open.length === 0 || (join === narrow && [a.others, b.others].includes("none"));
  if (isClosed) return { properties, ...((a.others ?? b.others) && { others: "none" }) };
  return {
    properties,
    others: { value: open.map(({ value }) => value).reduce((one, other) => later(one, other, join)) },
  };
}
