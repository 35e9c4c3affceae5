import type { JsonType, Schema } from "tenon/core/schema";
import { type Conjunction, toConjunction } from "./conjunction.js";
import { readFormats } from "./formats.js";
import { type Bound, type Kind, KINDS, type Normal, type Opaque, type Shape } from "./shape.js";
import { toCanonical } from "./values.js";

/** The types that a schema allows. */
export interface Types {
  readonly kinds: readonly Kind[];
  /** Numbers must be integers. */
  readonly integer: boolean;
  readonly null: boolean;
}

const ANY_TYPE: Types = { kinds: KINDS, integer: false, null: true };

export function toTypes(types: readonly JsonType[] | undefined): Types {
  if (types === undefined) return ANY_TYPE;
  const kinds = KINDS.filter(
    (kind) => types.includes(kind) || (kind === "number" && types.includes("integer")),
  );
  const integer = types.includes("integer") && !types.includes("number");
  return { kinds, integer, null: types.includes("null") };
}

/** Patterns with an anchor that every string matches. */
const MATCH_ALL: ReadonlySet<string> = new Set(["^", "$", "^.*", ".*$", "^[^]*$", "^[\\s\\S]*$"]);

/** `^`, `$`, `\b`, `\B`, `(?=`, `(?<!` and back references make a match depend on the text around it; `[^` does not. */
const DEPENDS_ON_TEXT = /\^|\$|\\[bBk\d]|\(\?<?[=!]/;

/** Tests whether every string matches a pattern: one that matches nothing, at any place, is matched at the start of each string. */
function matchesAll(pattern: string): boolean {
  if (MATCH_ALL.has(pattern)) return true;
  if (DEPENDS_ON_TEXT.test(pattern.replaceAll("[^", "["))) return false;
  try {
    return new RegExp(pattern, "u").test("");
  } catch {
    return false;
  }
}

/** Reads the shape of one kind of value from the schema's own keywords, without `allOf`, `anyOf` and `oneOf`. */
export function readShape(kind: Kind, schema: Schema): Shape {
  const common = { sources: [schema], opaque: readOpaque(kind, schema) };
  switch (kind) {
    case "boolean":
      return { ...common, kind };
    case "number": {
      const step = toNumber(schema.multipleOf);
      return {
        ...common,
        kind,
        integer: false,
        minimum: toBound(schema.minimum, schema.exclusiveMinimum, (value, excluded) => value > excluded),
        maximum: toBound(schema.maximum, schema.exclusiveMaximum, (value, excluded) => value < excluded),
        multiples: step === undefined || step <= 0 ? [] : [step],
        formats: readFormats(schema),
      };
    }
    case "string":
      return {
        ...common,
        kind,
        minLength: toNumber(schema.minLength) ?? 0,
        maxLength: toNumber(schema.maxLength) ?? Infinity,
        patterns: typeof schema.pattern === "string" && !matchesAll(schema.pattern) ? [schema.pattern] : [],
        formats: readFormats(schema),
      };
    case "array":
      return {
        ...common,
        kind,
        minItems: toNumber(schema.minItems) ?? 0,
        maxItems: toNumber(schema.maxItems) ?? Infinity,
        unique: schema.uniqueItems === true,
        prefix: (schema.prefixItems ?? []).map(toConjunction),
        rest: toConjunction(schema.items),
      };
    case "object":
      return {
        ...common,
        kind,
        properties: toConjunctions(schema.properties),
        hidden: new Map(),
        required: new Set(schema.required),
        patterns: toConjunctions(schema.patternProperties),
        rest: toConjunction(schema.additionalProperties),
        minProperties: toNumber(schema.minProperties) ?? 0,
        maxProperties: toNumber(schema.maxProperties) ?? Infinity,
      };
  }
}

function toConjunctions(schemas: Readonly<Record<string, Schema>> = {}): ReadonlyMap<string, Conjunction> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, toConjunction(schema)]));
}

/** @param isStricter Whether an inclusive bound is stricter than an exclusive one. */
function toBound(
  bound: unknown,
  exclusive: unknown,
  isStricter: (value: number, excluded: number) => boolean,
): Bound | undefined {
  const [value, excluded] = [toNumber(bound), toNumber(exclusive)];
  if (excluded === undefined) return value === undefined ? undefined : { value, exclusive: false };
  return value !== undefined && isStricter(value, excluded)
    ? { value, exclusive: false }
    : { value: excluded, exclusive: true };
}

/** The document may have anything in a number's place. */
function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Keywords that are only tested for equality, by the kind of value that they restrict. */
const SCHEMAS_OF_ALL = ["not", "if", "then", "else"] as const;
const SCHEMAS_OF_KIND: Readonly<Partial<Record<Kind, readonly OpaqueSchema[]>>> = {
  string: ["contentSchema"],
  array: ["contains", "unevaluatedItems"],
  object: ["propertyNames"],
};
const VALUES_OF_KIND: Readonly<Partial<Record<Kind, readonly (keyof Schema)[]>>> = {
  array: ["minContains", "maxContains"],
};

type OpaqueSchema = "contentSchema" | "contains" | "unevaluatedItems" | "propertyNames";

function readOpaque(kind: Kind, schema: Schema): readonly Opaque[] {
  const opaque: Opaque[] = [];
  // `then` and `else` have no meaning without `if`, nor `if` without them.
  const isConditional = schema.if !== undefined && (schema.then ?? schema.else) !== undefined;
  const ofAll = isConditional ? SCHEMAS_OF_ALL : (["not"] as const);
  for (const keyword of [...ofAll, ...(SCHEMAS_OF_KIND[kind] ?? [])]) {
    const child = schema[keyword];
    const isEmpty = keyword === "not" && child?.never === true;
    if (child !== undefined && !isEmpty) opaque.push({ keyword, schema: toConjunction(child) });
  }
  for (const keyword of VALUES_OF_KIND[kind] ?? []) {
    const value = schema[keyword];
    const isDefault = keyword === "minContains" && value === 1;
    if (value !== undefined && !isDefault && schema.contains !== undefined)
      opaque.push({ keyword, text: toCanonical(value) });
  }
  if (schema.dynamicReference !== undefined)
    opaque.push({ keyword: "dynamicReference", text: JSON.stringify(schema.dynamicReference) });
  if (kind === "object")
    for (const [name, needed] of Object.entries(schema.dependentRequired ?? {}))
      for (const other of new Set(needed))
        opaque.push({ keyword: `dependentRequired of ${name}`, text: JSON.stringify(other) });
  if (kind === "object")
    for (const [name, child] of Object.entries(schema.dependentSchemas ?? {}))
      opaque.push({ keyword: `dependentSchemas of ${name}`, schema: toConjunction(child) });
  return opaque;
}

/** The normal form of all values. */
export const ANY: Normal = {
  null: true,
  shapes: KINDS.map((kind) => ({ ...readShape(kind, { pointer: "#" }), sources: [] })),
  overlaps: [],
  truncated: false,
};
