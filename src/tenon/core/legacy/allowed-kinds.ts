import type { JsonType, NamedSchema, PlainType, Schema } from "./model.js";

/** What a schema allows of each kind of value; undefined where it allows anything. */
export type Allowed = Kinds | undefined;

export interface Kinds {
  /** With `integer` wherever there is `number`. */
  readonly plain: readonly PlainType[];
  readonly array?: { readonly items: Later };
  readonly object?: ObjectKind;
}

export interface ObjectKind {
  readonly properties: ReadonlyMap<string, Later>;
  /** Of `additionalProperties`; absent where the schema does not say it, `none` where it is false. */
  readonly others?: "none" | { readonly value: Later };
}

/**
 * Asked for only where it matters: what is read as JSON may contain itself, and its components may be many.
 * @throws {UnreadableSchema} when the schema contains itself.
 */
export type Later = () => Allowed;

type Schemas = ReadonlyMap<string, NamedSchema>;

interface Context {
  readonly schemas: Schemas;
  /** Components that the schema is in. */
  readonly within: readonly string[];
}

/** In the order in which a text is tried as one of them. */
export const PLAIN_TYPES: readonly PlainType[] = ["null", "boolean", "integer", "number", "string"];

/** A schema that cannot be followed to its end; the message completes `the value …`. */
export class UnreadableSchema extends Error {}

/**
 * Finds out what a schema allows, its references followed. Types come from `type`, or else from the values of `enum` and from
 * what other keywords imply; `allOf` narrows, `oneOf` and `anyOf` widen.
 * A schema that consists of itself, which is a problem of its own, says nothing.
 */
export function findAllowed(schema: Schema, schemas: Schemas): Allowed {
  return unlessCircular(() => allow(schema, { schemas, within: [] }), undefined);
}

/** @returns `instead` when the schema that is asked for contains itself. */
export function unlessCircular<Value>(ask: () => Value, instead: Value): Value {
  try {
    return ask();
  } catch (error) {
    if (error instanceof UnreadableSchema) return instead;
    throw error;
  }
}

function allow(schema: Schema, context: Context): Allowed {
  const parts = [allowOwn(schema, context), ...(schema.allOf ?? []).map((part) => allow(part, context))];
  if (schema.reference !== undefined) parts.push(allowComponent(schema.reference, context));
  for (const choices of [schema.oneOf, schema.anyOf]) {
    if (choices) parts.push(choices.map((choice) => allow(choice, context)).reduce(widen));
  }
  const all = parts.reduce(narrow);
  return all && schema.nullable ? { ...all, plain: [...all.plain, "null"] } : all;
}

function allowComponent(name: string, { schemas, within }: Context): Allowed {
  if (within.includes(name)) throw new UnreadableSchema(`contains itself, as ${name}`);
  const component = schemas.get(name);
  return component && allow(component.schema, { schemas, within: [...within, name] });
}

function allowOwn(schema: Schema, context: Context): Allowed {
  if (schema.never === true) return { plain: [] };
  const { properties, additionalProperties, items, prefixItems } = schema;
  const implied: readonly JsonType[] | undefined =
    (properties ?? additionalProperties) ? ["object"] : (items ?? prefixItems) ? ["array"] : undefined;
  const types = schema.types ?? schema.enum?.map(toType) ?? implied;
  if (types === undefined) return undefined;
  const plain = PLAIN_TYPES.filter(
    (type) => types.includes(type) || (type === "integer" && types.includes("number")),
  );
  return {
    plain,
    ...(types.includes("array") && { array: { items: allowItems(schema, context) } }),
    ...(types.includes("object") && { object: allowObject(schema, context) }),
  };
}

/** An item is any of those that have a place of their own, or of the rest; its place does not tell its type. */
function allowItems({ items, prefixItems = [] }: Schema, context: Context): Later {
  const all = items === undefined ? prefixItems : [...prefixItems, items];
  return () => (all.length === 0 ? undefined : all.map((item) => allow(item, context)).reduce(widen));
}

function allowObject({ properties = [], additionalProperties }: Schema, context: Context): ObjectKind {
  const others =
    additionalProperties?.never === true
      ? "none"
      : additionalProperties && { value: () => allow(additionalProperties, context) };
  return {
    properties: new Map(properties.map(({ name, schema }) => [name, () => allow(schema, context)])),
    ...(others && { others }),
  };
}

function toType(value: unknown): JsonType {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" || typeof value === "string" ? (typeof value as JsonType) : "object";
}

type Join = (a: Allowed, b: Allowed) => Allowed;

/** What both allow. */
function narrow(a: Allowed, b: Allowed): Allowed {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    plain: a.plain.filter((type) => b.plain.includes(type)),
    ...(a.array && b.array && { array: { items: later(a.array.items, b.array.items, narrow) } }),
    ...(a.object && b.object && { object: combine(a.object, b.object, narrow) }),
  };
}

/** What either allows. */
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

/** The properties of both: `allOf` has them together, and of `oneOf` and `anyOf` nobody knows yet which it will be. */
function combine(a: ObjectKind, b: ObjectKind, join: Join): ObjectKind {
  const properties = new Map(a.properties);
  for (const [name, value] of b.properties) {
    const earlier = properties.get(name);
    properties.set(name, earlier === undefined ? value : later(earlier, value, join));
  }
  const open = [a.others, b.others].filter((others) => others !== undefined && others !== "none");
  const closed = open.length === 0 || (join === narrow && [a.others, b.others].includes("none"));
  if (closed) return { properties, ...((a.others ?? b.others) && { others: "none" }) };
  return {
    properties,
    others: { value: open.map(({ value }) => value).reduce((one, other) => later(one, other, join)) },
  };
}
