import { type Allowed, findAllowed, type Kinds, type ObjectKind, PLAIN_TYPES } from "./allowed-kinds.js";
import type { NamedSchema, ObjectValue, PlainType, Schema, ValueType } from "./model.js";

/**
 * Builds what a text, which has no types of its own, is read as. Where anything goes, a text stays a string.
 * `{ type: array, items: { enum: [1, "all"] } }` becomes `{ items: ["integer", "string"] }`.
 *
 * An object has the properties that it declares, and others when it declares `additionalProperties` or nothing at all.
 * @throws {UnreadableSchema} when the schema contains itself.
 */
export function buildValueType(schema: Schema, schemas: ReadonlyMap<string, NamedSchema>): ValueType {
  return toValueType(findAllowed(schema, schemas));
}

function toValueType(allowed: Allowed): ValueType {
  if (allowed === undefined) return "string";
  const { array, object } = allowed;
  const plain = toPlainTypes(allowed);
  // An object alone cannot be written as null; whoever means null leaves it out.
  if (object && array === undefined && plain.every((type) => type === "null")) return toObjectValue(object);
  return toUnion([
    ...plain,
    ...(array ? [{ items: toValueType(array.items()) }] : []),
    ...(object ? [toObjectValue(object)] : []),
  ]);
}

/** The plain types that are allowed, without those that others include. */
export function toPlainTypes({ plain }: Kinds): readonly PlainType[] {
  return PLAIN_TYPES.filter(
    (type) => plain.includes(type) && !(type === "integer" && plain.includes("number")),
  );
}

/** One type stays as it is. Of no type, the schema is to say so: any text will do until then. */
export function toUnion(alternatives: Extract<ValueType, readonly unknown[]>): ValueType {
  const [only = "string", ...more] = alternatives;
  return more.length === 0 ? only : alternatives;
}

function toObjectValue({ properties, others }: ObjectKind): ObjectValue {
  const declared = [...properties].map(([name, value]): [string, ValueType] => [name, toValueType(value())]);
  const open = others ?? (declared.length === 0 ? { value: () => undefined } : "none");
  return {
    ...(declared.length > 0 && { properties: Object.fromEntries(declared) }),
    ...(open !== "none" && { additionalProperties: toValueType(open.value()) }),
  };
}
