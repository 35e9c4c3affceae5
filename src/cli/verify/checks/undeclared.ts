import { getOwn, isNode } from "tenon/core/document";
import type { Schema } from "tenon/core/schema";
import { type FlatSchema, flatten, type SchemaView } from "../../values/index.js";
import { UNDECLARED } from "../messages/index.js";

/** Members of an object that its schema does not declare. */
interface Undeclared {
  readonly names: readonly string[];
  /** JSON pointer of the object in the value. */
  readonly at: string;
  /** Pointer of the schema in the contract. */
  readonly pointer: string;
}

/** Deeper values are not searched. */
const MAX_DEPTH = 12;

/** Finds objects with undeclared members. Where there are alternatives, the members of all of them are declared. */
export function* findUndeclared(
  schema: Schema,
  value: unknown,
  view: SchemaView,
  at = "",
): Generator<Undeclared> {
  if (at.split("/").length > MAX_DEPTH) return;
  const parts = listAlternatives(schema, view);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    if (parts.every((part) => part.prefixItems === undefined) && items.length > 0)
      for (const [index, item] of value.entries())
        yield* findUndeclared(anyOf(items), item, view, `${at}/${index}`);
  }
  if (!isNode(value)) return;
  const declared = (name: string) => parts.flatMap((part) => getOwn(part.properties ?? {}, name) ?? []);
  const isClosed =
    parts.some(({ properties = {} }) => Object.keys(properties).length > 0) && !parts.some(isOpen);
  const names = Object.keys(value).filter((name) => name !== UNDECLARED && declared(name).length === 0);
  if (isClosed && names.length > 0) yield { names, at, pointer: view.registry.resolve(schema).pointer };
  for (const [name, member] of Object.entries(value)) {
    const schemas = declared(name);
    if (schemas.length > 0) yield* findUndeclared(anyOf(schemas), member, view, `${at}/${name}`);
  }
}

/** A schema and all its alternatives, at any depth. */
function listAlternatives(schema: Schema, view: SchemaView, depth = 0): readonly FlatSchema[] {
  const flat = flatten(schema, view);
  const choices = depth < MAX_DEPTH ? (flat.choices ?? []).flat() : [];
  return [flat, ...choices.flatMap((choice) => listAlternatives(choice, view, depth + 1))];
}

/** Tests whether the author says which other members an object may have. */
function isOpen(flat: FlatSchema): boolean {
  const { additionalProperties, unevaluatedProperties, patternProperties, dependentSchemas } = flat;
  const others = [additionalProperties, unevaluatedProperties, patternProperties, dependentSchemas];
  if (others.some((keyword) => keyword !== undefined)) return true;
  // An alternative that is any object, or anything.
  const hasOnlyType = Object.keys(flat).every((key) => key === "pointer" || key === "type");
  return hasOnlyType && flat.type?.includes("object") !== false;
}

function anyOf(schemas: readonly Schema[]): Schema {
  const [first] = schemas;
  return first !== undefined && schemas.length === 1
    ? first
    : { pointer: first?.pointer ?? "", anyOf: schemas };
}
