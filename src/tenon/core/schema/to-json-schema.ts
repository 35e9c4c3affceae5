import { isNode, toNode } from "../document/node.js";
import { findDiscriminator } from "./discriminator.js";
import type { SchemaRegistry, Side } from "./registry.js";
import { type Schema, SCHEMA_KEYWORDS } from "./schema.js";

/** A JSON Schema 2020-12. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

export interface JsonSchemaOptions {
  readonly registry: SchemaRegistry;
  readonly side: Side;
  /** Returns the URI of the schema for a reference. */
  readonly toUri: (reference: string) => string;
  /**
   * Returns the URI of the same schema without defaults, for references in {@link ALTERNATIVES}: a value that does not match must not
   * get a default, which can invalidate it for the next alternative. Default: defaults stay.
   */
  readonly toAlternativeUri?: (reference: string) => string;
  /** True for a schema that {@link toAlternativeUri} refers to. Default: false. */
  readonly isAlternative?: boolean;
  /**
   * Properties that never occur on the side: they are validated but never required (`optional`), or they are invalid (`forbidden`).
   * Default: `optional`.
   */
  readonly absent?: "optional" | "forbidden";
  /** Restricts integers to ±(2^53 − 1), so that a valid value is exact (RFC 7493, section 2.2). Default: false. */
  readonly safeIntegers?: boolean;
  /** Rewrites a pattern for the validator's dialect; undefined if it is invalid. Default: patterns are unchanged. */
  readonly toPattern?: (pattern: string) => string | undefined;
  /**
   * Schemas to add for formats, for a validator that does not assert formats. Each gets the format as its `$comment`. Default: none.
   */
  readonly formats?: Readonly<Record<string, JsonSchema>>;
  /** Formats to leave out, for a validator that would assert them. Default: none. */
  readonly ignoredFormats?: readonly string[];
}

/**
 * Formats that the package `ajv-formats` asserts, although neither JSON Schema nor OpenAPI's registry defines them. They are
 * annotations, like every unknown format.
 * @see https://spec.openapis.org/registry/format/
 */
export const NON_STANDARD_FORMATS = [
  "url",
  "iso-time",
  "iso-date-time",
  "json-pointer-uri-fragment",
] as const;

/** Assertions that are copied unchanged. */
const PLAIN = [
  ...([
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
  ] as const),
  ...(["format", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "default"] as const),
  ...([
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "contentMediaType",
    "contentEncoding",
  ] as const),
];

/** Keywords whose schemas apply to the same value as the schema that contains them. */
const BESIDE: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "not",
  "dependentSchemas",
]);

/**
 * Converts a schema to JSON Schema 2020-12 for one side of a contract. `required` omits properties that never occur on the side. A
 * discriminator selects the alternative that must match, at any depth, so that a validator only reports problems of that one.
 * `{ reference: "#/components/schemas/Pet" }` becomes `{ $ref: toUri("#/components/schemas/Pet") }`.
 */
export function toJsonSchema(schema: Schema, options: JsonSchemaOptions): JsonSchema {
  return write(schema, options.isAlternative === true ? toAlternativeOptions(options) : options, new Set());
}

/** Keywords whose schemas need not match the value. */
const ALTERNATIVES: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if", "contains"]);

/** Options for the schemas in alternatives. */
function toAlternativeOptions(options: JsonSchemaOptions): JsonSchemaOptions {
  const { toAlternativeUri } = options;
  return toAlternativeUri ? { ...options, toUri: toAlternativeUri, isAlternative: true } : options;
}

function write(schema: Schema, options: JsonSchemaOptions, outer: ReadonlySet<string>): JsonSchema {
  if (schema.never === true) return false;
  const { registry, side } = options;
  const own = registry.absentNames(schema, side);
  // Absent properties are shared by the schemas of the same value, not by those of its members.
  const absent = outer.size === 0 ? own : new Set([...outer, ...own]);
  const written: Record<string, unknown> = {};
  const { type, enum: values, reference } = schema;
  if (reference !== undefined) written["$ref"] = options.toUri(reference);
  if (type) written["type"] = type.length === 1 ? type[0] : type;
  if (values) written["enum"] = values;
  for (const key of PLAIN) if (schema[key] !== undefined) written[key] = schema[key];
  if (options.isAlternative === true) delete written["default"];
  if (options.ignoredFormats?.includes(schema.format ?? "") === true) delete written["format"];
  setPattern(schema, written, options);
  setRequired(schema, written, absent);
  if (options.safeIntegers === true) setSafeBounds(schema, written);
  const inside = (child: Schema, key: string) => {
    const isAlternative = ALTERNATIVES.has(key) && child !== findBesideNull(schema, key);
    const applied = isAlternative ? toAlternativeOptions(options) : options;
    return write(child, applied, BESIDE.has(key) ? absent : NOTHING);
  };
  for (const key of SCHEMA_KEYWORDS.single) {
    const child = schema[key];
    if (child !== undefined) written[key] = inside(child, key);
  }
  for (const key of SCHEMA_KEYWORDS.lists) {
    const children = schema[key];
    if (children) written[key] = children.map((child) => inside(child, key));
  }
  for (const key of SCHEMA_KEYWORDS.maps) {
    const children = schema[key];
    if (children) written[key] = writeMembers(children, key, options, inside);
  }
  setPrototypeAside(written);
  setAlternativeOfNull(schema, written, registry);
  setDiscriminator(schema, written, options);
  const { formats, format = "" } = { ...options, ...schema };
  if (formats && Object.hasOwn(formats, format))
    addPart(written, { $comment: format, ...toNode(formats[format]) });
  return Object.keys(written).length === 0 ? true : written;
}

const NOTHING: ReadonlySet<string> = new Set();

function writeMembers(
  members: Readonly<Record<string, Schema>>,
  key: string,
  { registry, side, absent = "optional", toPattern }: JsonSchemaOptions,
  inside: (child: Schema, key: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const written = Object.entries(members).flatMap(([name, child]): [string, JsonSchema][] => {
    if (key === "patternProperties" && toPattern) {
      const pattern = toPattern(name);
      return pattern === undefined ? [] : [[pattern, inside(child, key)]];
    }
    const isForbidden = key === "properties" && absent === "forbidden" && registry.isAbsent(child, side);
    return [[name, isForbidden ? false : inside(child, key)]];
  });
  // An assignment to "__proto__" would not define a member; fromEntries does.
  return Object.fromEntries(written);
}

/** Converts `properties`. Ajv ignores a property named `__proto__`, so it becomes a pattern. */
function setPrototypeAside(written: Record<string, unknown>): void {
  const { properties, patternProperties } = written;
  if (!isNode(properties) || !Object.hasOwn(properties, "__proto__")) return;
  const { ["__proto__"]: declared, ...others } = properties;
  written["properties"] = others;
  written["patternProperties"] = { ...toNode(patternProperties), "^__proto__$": declared };
}

function setPattern(
  { pattern }: Schema,
  written: Record<string, unknown>,
  { toPattern = (text) => text }: JsonSchemaOptions,
): void {
  const readable = typeof pattern === "string" ? toPattern(pattern) : pattern;
  if (readable !== undefined) written["pattern"] = readable;
}

function setRequired(
  { required }: Schema,
  written: Record<string, unknown>,
  absent: ReadonlySet<string>,
): void {
  if (!Array.isArray(required)) return;
  const present = required.filter((name) => !absent.has(name as string)) as readonly unknown[];
  if (present.length > 0) written["required"] = present;
}

function setSafeBounds({ type = [], minimum, maximum }: Schema, written: Record<string, unknown>): void {
  if (!type.includes("integer") || type.includes("number")) return;
  written["minimum"] = Math.max(minimum ?? -Infinity, Number.MIN_SAFE_INTEGER);
  written["maximum"] = Math.min(maximum ?? Infinity, Number.MAX_SAFE_INTEGER);
}

/** Converts a choice of null and another schema to a condition, so that a validator reports the problems of the other schema. */
function setAlternativeOfNull(
  schema: Schema,
  written: Record<string, unknown>,
  registry: SchemaRegistry,
): void {
  for (const key of ["anyOf", "oneOf"] as const) {
    const rest = findBesideNull(schema, key);
    if (rest === undefined) continue;
    // Null matches both alternatives of `oneOf`, and so none, unless a type excludes it.
    const excludesNull = [...registry.parts(rest)].some(({ type }) => type?.includes("null") === false);
    if (key === "oneOf" && !excludesNull) continue;
    const [first, second] = written[key] as readonly JsonSchema[];
    Reflect.deleteProperty(written, key);
    addPart(written, { if: { enum: [null] }, else: schema[key]?.[0] === rest ? first : second });
  }
}

/**
 * Finds the alternative to null in a schema with two alternatives, one of which is null.
 * @returns undefined for any other schema.
 */
export function findBesideNull(schema: Schema, key: string): Schema | undefined {
  const members = key === "anyOf" || key === "oneOf" ? schema[key] : undefined;
  if (members?.length !== 2 || schema.discriminator) return undefined;
  const others = members.filter((member) => !isNull(member));
  return others.length === 1 ? others[0] : undefined;
}

/** Tests whether a schema allows only null and has no other keyword than annotations. */
function isNull(schema: Schema): boolean {
  return schema.type?.join() === "null" && Object.keys(schema).every((key) => ONLY_NULL.has(key));
}

const ONLY_NULL: ReadonlySet<string> = new Set(["pointer", "type", "title", "description"]);

/** Converts a discriminator to conditions: the alternative that the property selects must match. */
function setDiscriminator(
  schema: Schema,
  written: Record<string, unknown>,
  options: JsonSchemaOptions,
): void {
  const discriminator = findDiscriminator(schema, options.registry);
  if (discriminator === undefined) return;
  const { keyword, propertyName, choices } = discriminator;
  const has = (values: readonly unknown[]) => {
    const properties = Object.fromEntries([[propertyName, { enum: values }]]);
    const condition = { type: "object", required: [propertyName], properties };
    setPrototypeAside(condition);
    return condition;
  };
  Reflect.deleteProperty(written, keyword);
  const usual = choices.find(({ isDefault }) => isDefault);
  const others = choices.filter((choice) => choice !== usual);
  const selecting = has(others.flatMap(({ values }) => values));
  addPart(
    written,
    usual ? { if: { not: selecting }, then: { $ref: options.toUri(usual.reference) } } : selecting,
  );
  for (const { reference, values } of others)
    addPart(written, { if: has(values), then: { $ref: options.toUri(reference) } });
}

function addPart(written: Record<string, unknown>, part: JsonSchema): void {
  written["allOf"] = [...((written["allOf"] as readonly JsonSchema[] | undefined) ?? []), part];
}

/** Returns the URI that a JSON Schema refers to. */
export function getTarget(schema: JsonSchema): string | undefined {
  const target = typeof schema === "boolean" ? undefined : schema["$ref"];
  return typeof target === "string" ? target : undefined;
}
