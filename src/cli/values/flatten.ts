import type { SchemaBook } from "./book.js";
import { isSame, type JsonType, type Schema, type SchemaObject } from "./schema.js";

/** A schema without references and `allOf`, as far as that can be said in one object. */
export interface FlatSchema extends Omit<SchemaObject, "$ref" | "allOf" | "anyOf" | "oneOf"> {
  /** Allows nothing. */
  readonly never?: true;
  /** Of each list one has to match: those of `anyOf` and of `oneOf`, and what follows from `if`. */
  readonly choices?: readonly (readonly Schema[])[];
}

/** Deeper, references lead in a circle that no value gets out of. */
const MAX_DEPTH = 30;

/**
 * Follows references and merges `allOf`. What cannot be merged (two patterns, `not`) is left out: values made from the result
 * are judged by a validator afterwards.
 */
export function flatten(schema: Schema, book: SchemaBook, depth = 0): FlatSchema {
  if (schema === false || depth > MAX_DEPTH) return { never: true };
  if (schema === true) return {};
  const {
    $ref,
    allOf = [],
    anyOf,
    oneOf,
    if: condition,
    then = true,
    else: otherwise = true,
    ...own
  } = schema;
  const both = condition === undefined ? undefined : [{ allOf: [condition, then] }, otherwise];
  const choices = [anyOf, oneOf, both].filter((list) => list !== undefined);
  const parts: FlatSchema[] = [{ ...own, ...(choices.length > 0 && { choices }) }];
  if ($ref !== undefined) parts.push(flatten(book.get($ref.slice("#/$defs/".length)), book, depth + 1));
  for (const part of allOf) {
    const flat = flatten(part, book, depth + 1);
    parts.push(allOf.length > 1 || own.properties !== undefined ? withoutExamples(flat) : flat);
  }
  return parts.reduce(merge);
}

/** An example of a part is none of the whole. */
export function withoutExamples(flat: FlatSchema): FlatSchema {
  return Object.fromEntries(Object.entries(flat).filter(([key]) => key !== "examples" && key !== "default"));
}

/** What a value has to be to satisfy both. */
export function merge(a: FlatSchema, b: FlatSchema): FlatSchema {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    merged[key] = merged[key] === undefined ? value : mergeKeyword(key, merged[key], value);
  }
  const { type, enum: values } = merged as FlatSchema;
  return type?.length === 0 || values?.length === 0 ? { never: true } : merged;
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
      return { allOf: [a, b] };
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
    case "multipleOf":
      return Math.max(a as number, b as number);
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return Math.min(a as number, b as number);
    default:
      return a ?? b;
  }
}

function mergeTypes(a: readonly JsonType[], b: readonly JsonType[]): readonly JsonType[] {
  const allows = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...a, ...b])].filter((type) => allows(a, type) && allows(b, type));
}

type Members = Readonly<Record<string, Schema>>;

function mergeMembers(a: Members, b: Members): Members {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const both = names.map((name): [string, Schema] => {
    const parts = [a, b].flatMap((members) => (Object.hasOwn(members, name) ? [members[name] ?? true] : []));
    return [name, parts.length === 1 ? (parts[0] ?? true) : { allOf: parts }];
  });
  return Object.fromEntries(both);
}
