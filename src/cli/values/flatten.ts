import { getOwn } from "tenon/core/document";
import {
  anything,
  findDiscriminator,
  isSame,
  type JsonType,
  type Schema,
  type SchemaRegistry,
  type Side,
} from "tenon/core/schema";

/** The schemas of a contract as one side sends them. */
export interface SchemaView {
  readonly registry: SchemaRegistry;
  /** Default: either, so that every property is there. */
  readonly side?: Side;
}

const COMPOSING = ["reference", "allOf", "anyOf", "oneOf", "if", "then", "else", "discriminator"] as const;
const UNUSED = ["title", "description", "readOnly", "writeOnly", "lifecycle"] as const;
const LEFT_OUT: ReadonlySet<string> = new Set([...COMPOSING, ...UNUSED]);

/** A schema without references and `allOf`, as far as one object can express it: a {@link Schema} with `choices`. */
export interface FlatSchema extends Omit<Schema, (typeof COMPOSING)[number] | (typeof UNUSED)[number]> {
  /** A value must match one schema of each list: those of `anyOf` and of `oneOf`, and the outcomes of `if`. */
  readonly choices?: readonly (readonly Schema[])[];
}

/** Deeper references form a circle that no finite value satisfies. */
const MAX_DEPTH = 30;

/**
 * Follows references, merges `allOf` and removes the properties that the side never sends. Keywords that cannot be merged (two
 * patterns, `not`) are ignored, so a validator has to check values that are made from the result.
 */
export function flatten(schema: Schema, view: SchemaView, depth = 0): FlatSchema {
  const { pointer, reference, allOf = [] } = schema;
  if (schema.bytes === true) return { pointer, type: ["string"] };
  if (schema.never === true || depth > MAX_DEPTH) return { pointer, never: true };
  const own = toOwn(schema, view);
  const parts: FlatSchema[] = [own];
  if (reference !== undefined) parts.push(flatten(view.registry.get(reference), view, depth + 1));
  for (const part of allOf) {
    const flat = flatten(part, view, depth + 1);
    parts.push(allOf.length > 1 || own.properties !== undefined ? withoutExamples(flat) : flat);
  }
  return withoutAbsent(parts.reduce(merge), schema, view);
}

/** An example of a part is not one of the whole. */
export function withoutExamples(flat: FlatSchema): FlatSchema {
  return omit(flat, ["examples", "default"]);
}

/** The schema's keywords about values, with its alternatives as `choices`. */
function toOwn(schema: Schema, { registry, side }: SchemaView): FlatSchema {
  const { properties } = schema;
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !LEFT_OUT.has(key))) as FlatSchema;
  const choices = listChoices(schema, registry);
  const present = Object.entries(properties ?? {}).flatMap(([name, property]): [string, Schema][] => {
    if (side === undefined || !registry.isAbsent(property, side)) return [[name, property]];
    // A request never has it; a response must not show it.
    return side === "request" ? [] : [[name, { pointer: property.pointer, never: true }]];
  });
  return {
    ...own,
    ...(properties && { properties: Object.fromEntries(present) }),
    ...(choices.length > 0 && { choices }),
  };
}

function withoutAbsent(flat: FlatSchema, schema: Schema, { registry, side }: SchemaView): FlatSchema {
  if (flat.required === undefined || side === undefined) return flat;
  const absent = registry.absentNames(schema, side);
  const required = flat.required.filter((name) => !absent.has(name));
  return required.length > 0 ? { ...flat, required } : omit(flat, ["required"]);
}

function omit(flat: FlatSchema, keys: readonly (keyof FlatSchema)[]): FlatSchema {
  const kept = Object.entries(flat).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(kept) as unknown as FlatSchema;
}

function listChoices(schema: Schema, registry: SchemaRegistry): readonly (readonly Schema[])[] {
  const { pointer, anyOf, oneOf, if: condition, then = { pointer }, else: otherwise = { pointer } } = schema;
  const outcomes = condition && [{ pointer, allOf: [condition, then] }, otherwise];
  const discriminated = listDiscriminated(schema, registry);
  const alternatives = discriminated === undefined ? [anyOf, oneOf] : [discriminated];
  return [...alternatives, outcomes].filter((list) => list !== undefined);
}

/** The alternatives of a discriminator, each with the values of the property that choose it. */
function listDiscriminated(schema: Schema, registry: SchemaRegistry): readonly Schema[] | undefined {
  const { pointer } = schema;
  const discriminator = findDiscriminator(schema, registry);
  return discriminator?.choices.map(({ reference, values, isDefault }) => {
    const { propertyName } = discriminator;
    const properties = Object.fromEntries([[propertyName, { pointer, enum: values }]]);
    return {
      pointer,
      allOf: [
        { pointer, reference },
        { pointer, properties, ...(!isDefault && { required: [propertyName] }) },
      ],
    };
  });
}

/** Merges two schemas into one that a value satisfies when it satisfies both. */
export function merge(a: FlatSchema, b: FlatSchema): FlatSchema {
  const merged: Record<string, unknown> & Pick<FlatSchema, "pointer"> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    merged[key] = merged[key] === undefined ? value : mergeKeyword(key, merged[key], value);
  }
  const { type, enum: values } = merged as FlatSchema;
  return type?.length === 0 || values?.length === 0 ? { pointer: a.pointer, never: true } : merged;
}

function mergeKeyword(key: string, a: unknown, b: unknown): unknown {
  switch (key) {
    case "type":
      return mergeTypes(a as readonly JsonType[], b as readonly JsonType[]);
    case "enum":
      return (a as readonly unknown[]).filter((value) =>
        (b as readonly unknown[]).some((one) => isSame(one, value)),
      );
    case "required":
      return [...new Set([...(a as readonly string[]), ...(b as readonly string[])])];
    case "choices":
    case "examples":
      return [...(a as readonly unknown[]), ...(b as readonly unknown[])];
    case "properties":
    case "patternProperties":
      return mergeMembers(a as Members, b as Members);
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "contains":
      return intersect([a as Schema, b as Schema]);
    default:
      if (/^(?:exclusiveM|m)ax/.test(key)) return Math.min(a as number, b as number);
      return /^(?:exclusiveM|m)in|^multipleOf$/.test(key) ? Math.max(a as number, b as number) : (a ?? b);
  }
}

function mergeTypes(a: readonly JsonType[], b: readonly JsonType[]): readonly JsonType[] {
  const allows = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...a, ...b])].filter((type) => allows(a, type) && allows(b, type));
}

type Members = Readonly<Record<string, Schema>>;

function mergeMembers(a: Members, b: Members): Members {
  const names = Object.keys({ ...a, ...b });
  return Object.fromEntries(
    names.map((name) => [name, intersect([a, b].flatMap((members) => getOwn(members, name) ?? []))]),
  );
}

/** The schema of a value that satisfies all of the schemas. */
export function intersect(schemas: readonly Schema[]): Schema {
  const [first = anything(""), ...others] = schemas;
  return others.length === 0 ? first : { pointer: first.pointer, allOf: schemas };
}
