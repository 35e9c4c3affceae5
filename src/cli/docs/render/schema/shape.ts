import type { Lifecycle } from "tenon/core/document";
import { findDiscriminator, type JsonType, type Schema, typeOf } from "tenon/core/schema";
import { flatten, type FlatSchema, type SchemaView } from "../../../values/index.js";
import { remember } from "../../remember.js";

/** A schema as a page shows it. */
export interface Shape {
  readonly flat: FlatSchema;
  /** Those that may be there. */
  readonly properties: readonly (readonly [name: string, Schema])[];
  readonly items: Schema | undefined;
  /** Members without names of their own: those whose names match a pattern, those of any other name, and items by position. */
  readonly unnamed: readonly Alternative[];
  /** Further schemas that a value, or something of it, matches or does not. */
  readonly rules: readonly Alternative[];
  /** Name of the component that it is. */
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly lifecycle: Lifecycle | undefined;
  /** `read-only`, `write-only`. */
  readonly marks: readonly string[];
  /** Types without `null`. */
  readonly types: readonly JsonType[];
  readonly canBeNull: boolean;
  /** A value matches one of each list. */
  readonly choices: readonly (readonly Alternative[])[];
}

export interface Alternative {
  readonly label: string;
  readonly schema: Schema;
  /** Set if a condition chooses it: `if`. */
  readonly isOutcome?: true;
}

/** Tests whether a condition chooses among alternatives, so that their names say when each applies. */
export function isConditional(list: readonly Alternative[]): boolean {
  return list.some(({ isOutcome = false }) => isOutcome);
}

/** A schema is read again wherever it is referred to. */
const shapesOf = remember((view: SchemaView) => remember((schema: Schema) => read(schema, view)));

/** Reads a schema with its references and `allOf` as one. */
export function readShape(schema: Schema, view: SchemaView): Shape {
  return shapesOf(view)(schema);
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
    const description = find(parts, "description") ?? inner.description;
    return { ...inner, ...readMarks(parts), description, canBeNull: true };
  }
  const types = flat.type ?? [...new Set(flat.enum?.map(typeOf))];
  return {
    flat,
    properties: Object.entries(flat.properties ?? {}).filter(([, property]) => property.never !== true),
    items: toPossible(flat.items),
    unnamed: listUnnamed(flat),
    rules: listRules(flat),
    name,
    title: find(parts, "title"),
    description: find(parts, "description"),
    ...readMarks(parts),
    types: types.filter((type) => type !== "null"),
    canBeNull: isNullChoice || (types.includes("null") && types.length > 1),
    choices: lists
      .filter((list) => list.length > 0)
      .map((list) => toOutcomes(list, parts, view) ?? toAlternatives(list, view)),
  };
}

function listUnnamed({ patternProperties = {}, additionalProperties, prefixItems = [] }: FlatSchema) {
  const others = toPossible(additionalProperties);
  return [
    ...Object.entries(patternProperties).map(([pattern, schema]) => ({
      label: `names like ${pattern}`,
      schema,
    })),
    ...(others === undefined ? [] : [{ label: "any other name", schema: others }]),
    ...prefixItems.map((schema, index) => ({ label: `item ${index + 1}`, schema })),
  ];
}

function listRules(flat: FlatSchema): readonly Alternative[] {
  const {
    contains,
    minContains: least = 1,
    maxContains: most,
    propertyNames,
    not,
    dependentSchemas = {},
  } = flat;
  const count =
    most === undefined ? `at least ${least}` : least === most ? `exactly ${least}` : `${least} to ${most}`;
  const rules = [
    { label: `Of the items, ${count}`, schema: contains },
    { label: "Each name", schema: propertyNames },
    ...Object.entries(dependentSchemas).map(([name, schema]) => ({ label: `With ${name}`, schema })),
    { label: "Not", schema: not },
  ];
  return rules.flatMap(({ label, schema }) => (schema === undefined ? [] : [{ label, schema }]));
}

function readMarks(parts: readonly Schema[]): Pick<Shape, "lifecycle" | "marks"> {
  const has = (key: "readOnly" | "writeOnly") => parts.some((part) => part[key] === true);
  const { lifecycle } = parts.find((part) => part.lifecycle !== undefined) ?? {};
  return {
    lifecycle,
    marks: [...(has("readOnly") ? ["read-only"] : []), ...(has("writeOnly") ? ["write-only"] : [])],
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

/** Names the outcomes of `if`. */
function toOutcomes(
  [first, otherwise]: readonly Schema[],
  parts: readonly Schema[],
  view: SchemaView,
): readonly Alternative[] | undefined {
  const condition = parts.find((part) => part.if !== undefined && part.if === first?.allOf?.[0])?.if;
  if (condition === undefined || first === undefined || otherwise === undefined) return undefined;
  const cases = Object.entries(flatten(condition, view).properties ?? {}).flatMap(([name, property]) => {
    const { enum: values } = flatten(property, view);
    return values === undefined ? [] : [`${name} is ${values.map(String).join(" or ")}`];
  });
  const label = `If ${cases.length === 0 ? "it matches" : cases.join(" and ")}`;
  return [
    { label, schema: first, isOutcome: true },
    { label: "Otherwise", schema: otherwise, isOutcome: true },
  ];
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
