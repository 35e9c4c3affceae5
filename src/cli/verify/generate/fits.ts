import type { SchemaBook } from "../../values/book.js";
import { type FlatSchema, flatten, merge } from "../../values/flatten.js";
import { isObject, isSame, type JsonType, type Schema } from "../../values/schema.js";

/** A flat schema in which each choice is made as a value made it. */
export function choose(schema: Schema, value: unknown, book: SchemaBook): FlatSchema {
  let flat = flatten(schema, book);
  for (let rounds = 0; flat.choices !== undefined && rounds < 8; rounds += 1) {
    const { choices, ...own } = flat;
    flat = choices.reduce<FlatSchema>((merged, list) => {
      const options = list.map((option) => flatten(option, book));
      const chosen = options.find((option) => fits(option, value, book));
      return chosen === undefined ? merged : merge(merged, chosen);
    }, own);
  }
  return flat;
}

/** Whether a value looks like one of a schema: its type, what it must have, and what has few values. */
function fits(flat: FlatSchema, value: unknown, book: SchemaBook): boolean {
  if (flat.never || !(flat.type ?? [typeOf(value)]).some((type) => isOfType(value, type))) return false;
  if (flat.enum !== undefined && !flat.enum.some((one) => isSame(one, value))) return false;
  if (!isObject(value)) return true;
  const { properties = {}, required = [] } = flat;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(properties).every(([name, property]) => {
    if (!Object.hasOwn(value, name)) return true;
    const { enum: values, type } = flatten(property, book);
    const member = value[name];
    return (
      (values?.some((one) => isSame(one, member)) ?? true) &&
      (type?.some((one) => isOfType(member, one)) ?? true)
    );
  });
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return typeof value as JsonType;
}

export function isOfType(value: unknown, type: JsonType): boolean {
  const own = typeOf(value);
  return own === type || (type === "number" && own === "integer");
}
