import { getOwn } from "../../../core/document/pointer.js";
import { isSame, type JsonSchema, type JsonType, toRegExp, typeOf } from "../../../core/schema/index.js";
import type { Applicators, Keywords } from "../evaluation.js";
import { INTERPRETED_FORMATS } from "./formats.js";

/** The place of a schema within another one. */
export interface Inner {
  /** Name or index of the member that it is about. Default: the same value. */
  readonly key?: string | number;
  /** One alternative of several: defaults are not put in. Default: as outside. */
  readonly isChoice?: true;
  /** The value is a property's name. */
  readonly isName?: true;
}

/** A value, and the schema that one of its keywords belongs to. */
export interface Context<Value> {
  readonly schema: Keywords;
  readonly value: Value;
  /** Validates by a schema and reports its errors. */
  readonly apply: (schema: JsonSchema, value: unknown, inner?: Inner) => boolean;
  /** Validates by a schema, and reports nothing. */
  readonly test: (schema: JsonSchema, value: unknown) => boolean;
  /** Tests all, so that every error is reported; only up to the first error where none is. */
  readonly all: <Item>(list: Iterable<Item>, check: (item: Item) => boolean) => boolean;
  /** Reports an error. Returns false. */
  readonly fail: (message: string, params?: object, schema?: unknown) => false;
  /** Forgets the errors that were reported since `count`; without it, returns their number. */
  readonly errors: { readonly count: () => number; readonly reset: (count: number) => void };
  /** Validates by the schema for a reference. */
  readonly applyReference: (reference: string, value: unknown) => boolean;
}

/** Validates a value by one keyword, whose own value is the first argument. */
type Check<Value> = (wanted: never, context: Context<Value>) => boolean;

/** Keywords by name, in the order of the compiled validator's errors. */
export interface Group {
  /** The type of value that they are about. Default: any. */
  readonly type?: "number" | "string" | "array" | "object";
  readonly checks: Readonly<Record<string, Check<never>>>;
}

type Members = Readonly<Record<string, unknown>>;

const bound =
  (sign: string, isWithin: (value: number, wanted: number) => boolean): Check<number> =>
  (wanted: number, { value, fail }) =>
    isWithin(value, wanted) || fail(`must be ${sign} ${wanted}`);

const limit =
  <Value>(unit: string, kind: "more" | "fewer", count: (value: Value) => number): Check<Value> =>
  (wanted: number, { value, fail }) =>
    (kind === "more" ? count(value) <= wanted : count(value) >= wanted) ||
    fail(`must NOT have ${kind} than ${wanted} ${unit}`);

const format: Check<unknown> = (name: string, { value, fail }) => {
  const known = getOwn(INTERPRETED_FORMATS, name);
  if (known === undefined) return true;
  if (known.type !== typeof value) return true;
  return known.test(value as never) || fail(`must match format "${name}"`);
};

/** Counts characters, not UTF-16 code units. */
const countCharacters = (text: string): number => Array.from(text).length;

const union: Check<unknown> = (schemas: readonly JsonSchema[], { value, apply, fail, errors }) => {
  // The compiled validator skips the others then, and their defaults.
  if (schemas.some(isAnything)) return true;
  const before = errors.count();
  for (const schema of schemas) {
    if (!apply(schema, value, { isChoice: true })) continue;
    errors.reset(before);
    return true;
  }
  return fail("must match a schema in anyOf");
};

/** Keywords that allow everything. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "default",
  "contentMediaType",
  "contentEncoding",
  "$comment",
]);

const isAnything = (schema: JsonSchema): boolean =>
  typeof schema === "boolean" ? schema : Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));

const exclusive: Check<unknown> = (schemas: readonly JsonSchema[], { value, apply, fail, errors }) => {
  const before = errors.count();
  const passing: number[] = [];
  for (const [index, schema] of schemas.entries()) {
    if (apply(schema, value, { isChoice: true })) passing.push(index);
    if (passing.length === 2) break;
  }
  if (passing.length !== 1)
    return fail("must match exactly one schema in oneOf", {
      passingSchemas: passing.length === 0 ? null : passing,
    });
  errors.reset(before);
  return true;
};

const condition: Check<unknown> = (wanted: JsonSchema, { schema, value, test, apply, fail }) => {
  const { then: consequence, else: otherwise } = schema as Applicators;
  if (consequence === undefined && otherwise === undefined) return true;
  const name = test(wanted, value) ? "then" : "else";
  const chosen = name === "then" ? consequence : otherwise;
  return chosen === undefined || apply(chosen, value) || fail(`must match "${name}" schema`);
};

const has = (value: Members, name: string): boolean => getOwn(value, name) !== undefined;

const tuple: Check<readonly unknown[]> = (schemas: readonly JsonSchema[], { all, value, apply }) =>
  all(schemas.slice(0, value.length).entries(), ([key, schema]) => apply(schema, value[key], { key }));

const items: Check<readonly unknown[]> = (wanted: JsonSchema, { all, schema, value, apply, fail }) => {
  const { prefixItems } = schema as Applicators;
  const start = prefixItems?.length ?? 0;
  if (wanted === false && prefixItems)
    return value.length <= start || fail(`must NOT have more than ${start} items`);
  return all(value.entries(), ([key, item]) => key < start || apply(wanted, item, { key }));
};

const additional: Check<Members> = (wanted: JsonSchema, { all, schema, value, apply, fail }) => {
  const { properties = {}, patternProperties = {} } = schema as Applicators;
  const patterns = Object.keys(patternProperties).map(toRegExp);
  const rest = Object.keys(value).filter(
    (name) => !Object.hasOwn(properties, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  return all(rest, (name) =>
    wanted === false
      ? fail("must NOT have additional properties", { additionalProperty: name })
      : apply(wanted, value[name], { key: cut(name) }),
  );
};

/** Shortens a name that the schema does not name, because each error within its value has it. */
const cut = (name: string): string => (name.length > 64 ? `${name.slice(0, 64)}…` : name);

const patternMembers: Check<Members> = (
  wanted: Readonly<Record<string, JsonSchema>>,
  { all, value, apply },
) =>
  all(Object.entries(wanted), ([source, schema]) => {
    const pattern = toRegExp(source);
    const names = Object.keys(value).filter((name) => pattern.test(name));
    return all(names, (name) => apply(schema, value[name], { key: cut(name) }));
  });

const names: Check<Members> = (wanted: JsonSchema, { all, value, apply, fail }) =>
  all(
    Object.keys(value),
    (name) =>
      apply(wanted, name, { isChoice: true, isName: true }) ||
      fail("property name must be valid", { propertyName: name }),
  );

/** The keywords of JSON Schema 2020-12 that `toJsonSchema` writes, without those that have definitions for both validators. */
export const GROUPS: readonly Group[] = [
  {
    checks: {
      $ref: (reference: string, { value, applyReference }: Context<unknown>) =>
        applyReference(reference, value),
      enum: (values: readonly unknown[], { value, fail }: Context<unknown>) =>
        values.some((one) => isSame(one, value)) ||
        fail("must be equal to one of the allowed values", { allowedValues: values }),
      not: (schema: JsonSchema, { value, test, fail }: Context<unknown>) =>
        !test(schema, value) || fail("must NOT be valid"),
      anyOf: union,
      oneOf: exclusive,
      allOf: (schemas: readonly JsonSchema[], { all, value, apply }: Context<unknown>) =>
        all(schemas, (schema) => apply(schema, value)),
      if: condition,
    },
  },
  {
    type: "number",
    checks: {
      maximum: bound("<=", (value, wanted) => value <= wanted),
      minimum: bound(">=", (value, wanted) => value >= wanted),
      exclusiveMaximum: bound("<", (value, wanted) => value < wanted),
      exclusiveMinimum: bound(">", (value, wanted) => value > wanted),
      format,
    },
  },
  {
    type: "string",
    checks: {
      maxLength: limit("characters", "more", countCharacters),
      minLength: limit("characters", "fewer", countCharacters),
      pattern: (source: string, { value, fail }: Context<string>) =>
        toRegExp(source).test(value) || fail(`must match pattern "${source}"`),
      format,
    },
  },
  {
    type: "array",
    checks: {
      maxItems: limit("items", "more", (value: readonly unknown[]) => value.length),
      minItems: limit("items", "fewer", (value: readonly unknown[]) => value.length),
      prefixItems: tuple,
      items,
    },
  },
  {
    type: "object",
    checks: {
      maxProperties: limit("properties", "more", (value: object) => Object.keys(value).length),
      minProperties: limit("properties", "fewer", (value: object) => Object.keys(value).length),
      required: (wanted: readonly string[], { value, fail }: Context<Members>) =>
        wanted.every((name) => has(value, name)) || fail("must have required properties"),
      propertyNames: names,
      additionalProperties: additional,
      properties: (wanted: Readonly<Record<string, JsonSchema>>, { all, value, apply }: Context<Members>) =>
        all(
          Object.entries(wanted),
          ([name, schema]) => !has(value, name) || apply(schema, value[name], { key: name }),
        ),
      patternProperties: patternMembers,
      dependentRequired: (
        wanted: Readonly<Record<string, readonly string[]>>,
        { all, value, fail }: Context<Members>,
      ) =>
        all(
          Object.entries(wanted),
          ([property, others]) =>
            !has(value, property) ||
            others.every((name) => has(value, name)) ||
            fail("must have properties", { property }, Object.fromEntries([[property, others]])),
        ),
      dependentSchemas: (
        wanted: Readonly<Record<string, JsonSchema>>,
        { all, value, apply }: Context<Members>,
      ) => all(Object.entries(wanted), ([name, schema]) => !has(value, name) || apply(schema, value)),
    },
  },
];

/** Tests whether a value has a type. Numbers are finite. */
export function hasType(value: unknown, type: JsonType): boolean {
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return type === "number" ? Number.isFinite(value) : typeOf(value) === type;
}
