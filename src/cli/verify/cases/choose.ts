import { isNode } from "tenon/core/document";
import { isSame, type JsonType, type Schema, typeOf } from "tenon/core/schema";
import { type FlatSchema, flatten, merge, type SchemaView } from "../../values/index.js";

/** Flattens a schema, with the alternatives that a value matches merged in. */
export function choose(schema: Schema, value: unknown, view: SchemaView): FlatSchema {
  let flat = flatten(schema, view);
  for (let rounds = 0; flat.choices !== undefined && rounds < 8; rounds += 1) {
    const { choices, ...own } = flat;
    flat = choices.reduce<FlatSchema>((merged, list) => {
      const options = list.map((option) => flatten(option, view));
      const chosen = options.find((option) => fits(option, value, view));
      return chosen === undefined ? merged : merge(merged, chosen);
    }, own);
  }
  return flat;
}

/** Tests whether a value resembles those of a schema: in its type, its required properties and its enums. */
function fits(flat: FlatSchema, value: unknown, view: SchemaView): boolean {
  if (flat.never || !(flat.type ?? [typeOf(value)]).some((type) => isOfType(value, type))) return false;
  if (flat.enum !== undefined && !flat.enum.some((one) => isSame(one, value))) return false;
  if (!isNode(value)) return true;
  const { properties = {}, required = [] } = flat;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(properties).every(([name, property]) => {
    if (!Object.hasOwn(value, name)) return true;
    const { enum: values, type } = flatten(property, view);
    const member = value[name];
    return (
      (values?.some((one) => isSame(one, member)) ?? true) &&
      (type?.some((one) => isOfType(member, one)) ?? true)
    );
  });
}

/** Tests whether a value has a type; 1 is an integer and a number. */
export function isOfType(value: unknown, type: JsonType): boolean {
  const own = typeOf(value);
  return own === type || (type === "number" && own === "integer");
}
