import type { JsonType, NamedSchema, ObjectValue, PlainType, Schema, ValueType } from "./model.js";

/** What a schema allows of each kind of value; undefined where it allows anything. */
type Allowed = Kinds | undefined;

interface Kinds {
  /** With `integer` wherever there is `number`. */
  readonly plain: readonly PlainType[];
  readonly array?: { readonly items: Allowed };
  readonly object?: ObjectKind;
}

interface ObjectKind {
  readonly properties: ReadonlyMap<string, Allowed>;
  /** Of `additionalProperties`; absent where the schema does not say it, `none` where it is false. */
  readonly others?: "none" | { readonly value: Allowed };
}

interface Context {
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  /** Components that the schema is in. */
  readonly within: readonly string[];
}

const PLAIN_TYPES: readonly PlainType[] = ["null", "boolean", "integer", "number", "string"];

/** A schema that no text can be read as; the message completes `the value …`. */
export class UnreadableSchema extends Error {}

/**
 * Builds what a text, which has no types of its own, is read as. Types come from `type`, or else from the values of `enum`
 * and from what other keywords imply; `allOf` narrows, `oneOf` and `anyOf` widen. Where anything goes, a text stays a string.
 * `{ type: array, items: { enum: [1, "all"] } }` becomes `{ items: ["integer", "string"] }`.
 *
 * An object has the properties that it declares, and others when it declares `additionalProperties` or nothing at all.
 * @throws {UnreadableSchema} when a text does not tell which alternative it is, or the schema contains itself.
 */
export function buildValueType(schema: Schema, schemas: Context["schemas"]): ValueType {
  return toValueType(allow(schema, { schemas, within: [] }));
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
  const { properties, additionalProperties, items } = schema;
  const implied: readonly JsonType[] | undefined =
    (properties ?? additionalProperties) ? ["object"] : items ? ["array"] : undefined;
  const types = schema.types ?? schema.enum?.map(toType) ?? implied;
  if (types === undefined) return undefined;
  const plain = PLAIN_TYPES.filter(
    (type) => types.includes(type) || (type === "integer" && types.includes("number")),
  );
  return {
    plain,
    ...(types.includes("array") && { array: { items: items && allow(items, context) } }),
    ...(types.includes("object") && { object: allowObject(schema, context) }),
  };
}

function allowObject({ properties = [], additionalProperties }: Schema, context: Context): ObjectKind {
  const others =
    additionalProperties?.never === true
      ? "none"
      : additionalProperties && { value: allow(additionalProperties, context) };
  return {
    properties: new Map(properties.map(({ name, schema }) => [name, allow(schema, context)])),
    ...(others && { others }),
  };
}

function toType(value: unknown): JsonType {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" || typeof value === "string" ? (typeof value as JsonType) : "object";
}

/** What both allow. */
function narrow(a: Allowed, b: Allowed): Allowed {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    plain: a.plain.filter((type) => b.plain.includes(type)),
    ...(a.array && b.array && { array: { items: narrow(a.array.items, b.array.items) } }),
    ...(a.object && b.object && { object: combine(a.object, b.object, narrow) }),
  };
}

/** What either allows. */
function widen(a: Allowed, b: Allowed): Allowed {
  if (a === undefined || b === undefined) return undefined;
  const array = a.array && b.array ? { items: widen(a.array.items, b.array.items) } : (a.array ?? b.array);
  const object = a.object && b.object ? combine(a.object, b.object, widen) : (a.object ?? b.object);
  return { plain: [...a.plain, ...b.plain], ...(array && { array }), ...(object && { object }) };
}

/** The properties of both: `allOf` has them together, and of `oneOf` and `anyOf` nobody knows yet which it will be. */
function combine(a: ObjectKind, b: ObjectKind, join: (a: Allowed, b: Allowed) => Allowed): ObjectKind {
  const properties = new Map(a.properties);
  for (const [name, value] of b.properties) {
    properties.set(name, properties.has(name) ? join(properties.get(name), value) : value);
  }
  const open = [a.others, b.others].filter((others) => others !== undefined && others !== "none");
  const closed = open.length === 0 || (join === narrow && [a.others, b.others].includes("none"));
  if (closed) return { properties, ...((a.others ?? b.others) && { others: "none" }) };
  return { properties, others: { value: open.map(({ value }) => value).reduce(join) } };
}

function toValueType(allowed: Allowed): ValueType {
  if (allowed === undefined) return "string";
  const { array, object } = allowed;
  const plain = PLAIN_TYPES.filter(
    (type) => allowed.plain.includes(type) && !(type === "integer" && allowed.plain.includes("number")),
  );
  if (object !== undefined) {
    // An object cannot be written as null; whoever means null leaves it out.
    if (array === undefined && plain.every((type) => type === "null")) return toObjectValue(object);
    throw new UnreadableSchema("is an object or something else, and its text does not tell which");
  }
  const alternatives = [...plain, ...(array ? [{ items: toValueType(array.items) }] : [])];
  const [only = "string", ...more] = alternatives;
  return more.length === 0 ? only : alternatives;
}

function toObjectValue({ properties, others }: ObjectKind): ValueType {
  const declared = [...properties].map(([name, value]): [string, ValueType] => [name, toValueType(value)]);
  const open = others ?? (declared.length === 0 ? { value: undefined } : "none");
  return {
    ...(declared.length > 0 && { properties: Object.fromEntries(declared) }),
    ...(open !== "none" && { additionalProperties: toValueType(open.value) }),
  } satisfies ObjectValue;
}
