import { isNode } from "tenon/core/document";
import { isSame, type JsonType } from "tenon/core/schema";
import { isOfType, type Site } from "./sites.js";
import { toRange } from "./values.js";

/** Another value for a part of a request. */
export interface Variant {
  /** Undefined removes the part. */
  readonly value: unknown;
  /** The keyword whose limit the value has, or that it violates. */
  readonly keyword: string;
  readonly valid: boolean;
}

/** Longer texts and lists test the server's limits rather than the contract. */
const MAX_TRIED = 4096;

/**
 * Finds values at the limits of a schema and just past them. Past a limit of a value that is written as text, as in a query, are
 * only those that no parser could take for something else.
 */
export function findVariants({ schema, value }: Site, isText: boolean): readonly Variant[] {
  const variants = [
    ...ofType(schema.type, isText),
    ...ofEnum(schema, value),
    ...ofNumber({ schema, value }, isText),
    ...ofString(schema, value, isText),
    ...ofArray(schema, value, isText),
    ...ofObject(schema, value),
  ];
  return variants.filter((variant) => !isSame(variant.value, value));
}

type SiteParts = Pick<Site, "schema" | "value">;

/** One value of each type, invalid where the type is not allowed. */
const OF_TYPES: Readonly<Record<JsonType, unknown>> = {
  string: "surely-no-other-type",
  integer: 42,
  number: 1.5,
  boolean: true,
  object: { surely: "not" },
  array: ["surely-not"],
  null: null,
};

function* ofType(types: readonly JsonType[] | undefined, isText: boolean): Generator<Variant> {
  if (types === undefined) return;
  // As text, anything is a list of one.
  if (isText && (types.includes("array") || types.includes("object"))) return;
  const others = isText ? (["string"] as const) : (Object.keys(OF_TYPES) as JsonType[]);
  for (const type of others) {
    const value = OF_TYPES[type];
    if (!types.some((one) => isOfType(value, one))) yield { value, keyword: "type", valid: false };
  }
  if (!isText && types.includes("null")) yield { value: null, keyword: "type", valid: true };
}

function* ofEnum({ enum: values }: Site["schema"], value: unknown): Generator<Variant> {
  if (values === undefined) return;
  for (const one of values) yield { value: one, keyword: "enum", valid: true };
  if (typeof value === "string") yield { value: "surely-not-one-of-them", keyword: "enum", valid: false };
  else if (typeof value === "number") yield { value: 987_654_321, keyword: "enum", valid: false };
}

function* ofNumber({ schema, value }: SiteParts, isText: boolean): Generator<Variant> {
  if (typeof value !== "number" || schema.enum !== undefined) return;
  const isInteger = schema.type?.includes("integer") === true && !schema.type.includes("number");
  const step = schema.multipleOf ?? (isInteger ? 1 : 0.01);
  const round = (number: number) => Number(number.toPrecision(15));
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  for (const [keyword, limit, within, past] of [
    ["minimum", minimum, 0, -step],
    ["maximum", maximum, 0, step],
    ["exclusiveMinimum", exclusiveMinimum, step, 0],
    ["exclusiveMaximum", exclusiveMaximum, -step, 0],
  ] as const) {
    if (limit === undefined) continue;
    const add = (gap: number) => (gap === 0 ? limit : round(limit + gap));
    yield { value: add(within), keyword, valid: true };
    yield { value: add(past), keyword, valid: false };
  }
  if (multipleOf !== undefined)
    yield { value: round(value + multipleOf / 2), keyword: "multipleOf", valid: false };
  if (!isInteger) return;
  const { min, max } = toRange(schema);
  for (const limit of [min, max, 0]) yield { value: limit, keyword: schema.format ?? "type", valid: true };
  // As text, 1.5 is not an integer; some parsers read it up to the point.
  if (isText) yield { value: 1.5, keyword: "type", valid: false };
}

function* ofString(schema: Site["schema"], value: unknown, isText: boolean): Generator<Variant> {
  if (typeof value !== "string" || schema.enum !== undefined) return;
  const { minLength, maxLength, pattern, format } = schema;
  const resize = (length: number) => Array.from(value.padEnd(length, "x")).slice(0, length).join("");
  // A format or pattern may restrict the length; a validator checks that.
  const free = pattern === undefined && format === undefined;
  for (const variant of ofLength({ minLength, maxLength }, resize, isText ? 1 : 0))
    if (free || !variant.valid) yield variant;
  if (pattern !== undefined) {
    for (const wrong of ["surely no match", "x", "0", `${value}!`, `!${value}`]) {
      yield { value: wrong, keyword: "pattern", valid: false };
    }
  }
  if (!isText && free) yield { value: "", keyword: "minLength", valid: true };
}

function* ofArray(schema: Site["schema"], value: unknown, isText: boolean): Generator<Variant> {
  if (!Array.isArray(value) || value.length === 0) return;
  const items: readonly unknown[] = value;
  const { minItems, maxItems, uniqueItems } = schema;
  const resize = (length: number) => Array.from({ length }, (_, index) => items[index % items.length]);
  for (const variant of ofLength({ minItems, maxItems }, resize, isText ? 1 : 0))
    if (minItems !== 0 || !isText || variant.keyword === "maxItems") yield variant;
  if (uniqueItems === true) yield { value: [...items, items[0]], keyword: "uniqueItems", valid: false };
}

/**
 * @param limits By keyword, the least length first.
 * @param shortest Length that has no shorter one: an empty text in a URL is an absent one.
 */
function* ofLength(
  limits: Readonly<Record<string, number | undefined>>,
  resize: (length: number) => unknown,
  shortest: number,
): Generator<Variant> {
  for (const [keyword, limit] of Object.entries(limits)) {
    if (limit === undefined || limit > MAX_TRIED) continue;
    const isLeast = keyword.startsWith("min");
    yield { value: resize(limit), keyword, valid: true };
    if (!isLeast || limit > shortest)
      yield { value: resize(isLeast ? limit - 1 : limit + 1), keyword, valid: false };
  }
}

function* ofObject(schema: Site["schema"], value: unknown): Generator<Variant> {
  if (!isNode(value)) return;
  const { required = [], additionalProperties, minProperties, maxProperties } = schema;
  const without = (name: string) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  for (const name of Object.keys(value)) {
    const keyword = required.includes(name) ? `required ${name}` : `optional ${name}`;
    yield { value: without(name), keyword, valid: !required.includes(name) };
  }
  if (additionalProperties?.never) {
    yield { value: { ...value, surelyNotDeclared: 1 }, keyword: "additionalProperties", valid: false };
  }
  const names = Object.keys(value).filter((name) => !required.includes(name));
  if (names.length > 1) {
    const least = Object.fromEntries(required.map((name) => [name, value[name]]));
    yield { value: least, keyword: "required", valid: true };
  }
  if (minProperties !== undefined && minProperties > 0)
    yield { value: {}, keyword: "minProperties", valid: false };
  if (maxProperties !== undefined && maxProperties < 100) {
    const extra = Object.fromEntries(
      Array.from({ length: maxProperties + 1 }, (_, index) => [`surely${index}`, 1]),
    );
    yield { value: { ...extra, ...value }, keyword: "maxProperties", valid: false };
  }
}
