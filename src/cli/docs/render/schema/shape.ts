import { findDiscriminator, type JsonType, type Schema, typeOf } from "tenon/core/schema";
import { flatten, type FlatSchema, type SchemaView } from "../../../values/index.js";

/** A schema as a page shows it. */
export interface Shape {
  readonly flat: FlatSchema;
  /** Those that may be there. */
  readonly properties: readonly (readonly [name: string, Schema])[];
  readonly items: Schema | undefined;
  /** Properties of any other name. */
  readonly others: Schema | undefined;
  /** Name of the component that it is. */
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Types without `null`. */
  readonly types: readonly JsonType[];
  readonly canBeNull: boolean;
  /** A value matches one of each list. */
  readonly choices: readonly (readonly Alternative[])[];
}

export interface Alternative {
  readonly label: string;
  readonly schema: Schema;
}

/** A schema is read again wherever it is referred to. */
const known = new WeakMap<SchemaView, WeakMap<Schema, Shape>>();

/** Reads a schema with its references and `allOf` as one. */
export function readShape(schema: Schema, view: SchemaView): Shape {
  const shapes = known.get(view) ?? new WeakMap<Schema, Shape>();
  known.set(view, shapes);
  const shape = shapes.get(schema) ?? read(schema, view);
  shapes.set(schema, shape);
  return shape;
}

function read(schema: Schema, view: SchemaView): Shape {
  const flat = flatten(schema, view);
  const parts = [...view.registry.parts(schema)];
  const all = flat.choices ?? [];
  const lists = all.map((list) => list.filter((one) => !isNull(one, view)));
  const isNullChoice = lists.some((list, index) => list.length < (all[index]?.length ?? 0));
  const [single, ...others] = lists.filter((list) => list.length === 1).flat();
  const name = nameOf(schema, view);
  // `anyOf: [X, null]` is X that may be null.
  if (single !== undefined && others.length === 0 && lists.length === 1 && isNullChoice) {
    const inner = readShape(single, view);
    return { ...inner, description: find(parts, "description") ?? inner.description, canBeNull: true };
  }
  const types = flat.type ?? [...new Set(flat.enum?.map(typeOf))];
  return {
    flat,
    properties: Object.entries(flat.properties ?? {}).filter(([, property]) => property.never !== true),
    items: toPossible(flat.items),
    others: toPossible(flat.additionalProperties),
    name,
    title: find(parts, "title"),
    description: find(parts, "description"),
    types: types.filter((type) => type !== "null"),
    canBeNull: isNullChoice || (types.includes("null") && types.length > 1),
    choices: lists.filter((list) => list.length > 0).map((list) => toAlternatives(list, view)),
  };
}

function toPossible(schema: Schema | undefined): Schema | undefined {
  return schema?.never === true ? undefined : schema;
}

/** The name of the component that a schema refers to without changing what is valid. */
function nameOf(schema: Schema, view: SchemaView): string | undefined {
  const reference = schema.reference ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.reference : undefined);
  const name = reference === undefined ? undefined : view.registry.nameOf(reference);
  return name === undefined || view.registry.isMade(name) ? undefined : name;
}

function isNull(schema: Schema, view: SchemaView): boolean {
  const { type } = flatten(schema, view);
  return type?.length === 1 && type[0] === "null";
}

function find(parts: readonly Schema[], key: "title" | "description"): string | undefined {
  return parts.map((part) => part[key]).find((text) => text !== undefined);
}

/** Names the alternatives. One with the name of another gets the value of its first constant property, or its number. */
function toAlternatives(list: readonly Schema[], view: SchemaView): readonly Alternative[] {
  const labels = list.map((schema, index) => toLabel(schema, index, view));
  return list.map((schema, index) => {
    const label = labels[index] ?? "";
    if (labels.indexOf(label) === labels.lastIndexOf(label)) return { label, schema };
    return { label: findConstant(schema, view) ?? `${label} ${index + 1}`, schema };
  });
}

function findConstant(schema: Schema, view: SchemaView): string | undefined {
  for (const property of Object.values(flatten(schema, view).properties ?? {})) {
    const { enum: values = [] } = flatten(property, view);
    if (values.length === 1) return String(values[0]);
  }
  return undefined;
}

/** Names an alternative by the value that chooses it, its component, its title, or its type. */
function toLabel(schema: Schema, index: number, view: SchemaView): string {
  const [, chosen] = schema.allOf ?? [];
  const values = Object.values(chosen?.properties ?? {}).flatMap((property) => property.enum ?? []);
  const inner = schema.reference === undefined ? (schema.allOf?.[0] ?? schema) : schema;
  const name = nameOf(inner, view);
  const isChosen = schema.reference === undefined && schema.allOf?.length === 2 && values.length > 0;
  if (isChosen) return values.map(String).join(", ");
  const title = find([...view.registry.parts(schema)], "title");
  const { type = [] } = flatten(schema, view);
  return name ?? title ?? (type.join(" or ") || `Option ${index + 1}`);
}

/** The property whose value chooses an alternative. */
export function findChoosing(schema: Schema, { registry }: SchemaView): string | undefined {
  for (const part of registry.parts(schema)) {
    const found = findDiscriminator(part, registry);
    if (found !== undefined) return found.propertyName;
  }
  return undefined;
}
