import { isNode, toNode } from "../document/node.js";
import { findDiscriminator } from "./discriminator.js";
import type { SchemaRegistry, Side } from "./registry.js";
import { type Schema, SCHEMA_KEYWORDS } from "./schema.js";

/** A schema as JSON Schema 2020-12 has it. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

export interface JsonSchemaOptions {
  readonly registry: SchemaRegistry;
  readonly side: Side;
  /** The URI of the schema that a reference is the key of. */
  readonly toUri: (reference: string) => string;
  /**
   * What becomes of properties that the side never has: they stay what they are, and are never required (`optional`), or they
   * must not be there (`forbidden`). Default: `optional`.
   */
  readonly absent?: "optional" | "forbidden";
  /** Keeps integers within ±(2^53 − 1), so that a value is exact or refused (RFC 7493, section 2.2). Default: false. */
  readonly safeIntegers?: boolean;
  /** Rewrites a pattern for the validator's dialect; undefined for one that it cannot read. Default: as it is. */
  readonly toPattern?: (pattern: string) => string | undefined;
  /** Patterns that formats stand for, for a validator that does not assert formats. Default: none. */
  readonly formats?: Readonly<Record<string, string>>;
}

/** Assertions that are copied as they are. */
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

/** Keywords whose schemas are about the same value as the schema that they are in. */
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
 * Writes a schema as JSON Schema 2020-12 that holds for one side of a contract. `required` does not ask for what the side never
 * has, and a discriminator chooses the one alternative that has to match, at any depth, so that a validator's problems are
 * about that one.
 * `{ reference: "#/components/schemas/Pet" }` becomes `{ $ref: toUri("#/components/schemas/Pet") }`.
 */
export function toJsonSchema(schema: Schema, options: JsonSchemaOptions): JsonSchema {
  return write(schema, options, new Set());
}

function write(schema: Schema, options: JsonSchemaOptions, outer: ReadonlySet<string>): JsonSchema {
  if (schema.never === true) return false;
  const { registry, side } = options;
  const own = registry.absentNames(schema, side);
  // The parts of one value share what is absent, its members do not.
  const absent = outer.size === 0 ? own : new Set([...outer, ...own]);
  const written: Record<string, unknown> = {};
  const { type, enum: values, reference } = schema;
  if (reference !== undefined) written["$ref"] = options.toUri(reference);
  if (type) written["type"] = type.length === 1 ? type[0] : type;
  if (values) written["enum"] = values;
  for (const key of PLAIN) if (schema[key] !== undefined) written[key] = schema[key];
  setPattern(schema, written, options);
  setRequired(schema, written, absent);
  if (options.safeIntegers === true) setSafeBounds(schema, written);
  const inside = (child: Schema, key: string) => write(child, options, BESIDE.has(key) ? absent : NOTHING);
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
  setAlternativeOfNull(schema, written);
  setDiscriminator(schema, written, options);
  const { formats, format = "" } = { ...options, ...schema };
  if (formats && Object.hasOwn(formats, format)) addPart(written, { pattern: formats[format] });
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
  // fromEntries defines members, where an assignment to "__proto__" would not.
  return Object.fromEntries(written);
}

/** Ajv passes over a property called `__proto__` as if it were not declared, but not where a pattern says its name. */
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

/** A schema that allows null beside something else is that something where the value is not null: problems are about it. */
function setAlternativeOfNull(schema: Schema, written: Record<string, unknown>): void {
  for (const key of ["anyOf", "oneOf"] as const) {
    const rest = findBesideNull(schema, key);
    if (rest === undefined) continue;
    const [first, second] = written[key] as readonly JsonSchema[];
    Reflect.deleteProperty(written, key);
    addPart(written, { if: { enum: [null] }, else: schema[key]?.[0] === rest ? first : second });
  }
}

/**
 * The other alternative of a schema that is one of two, the first or second of which is null.
 * @returns undefined for any other schema.
 */
export function findBesideNull(schema: Schema, key: "anyOf" | "oneOf"): Schema | undefined {
  const members = schema[key];
  if (members?.length !== 2 || schema.discriminator) return undefined;
  const others = members.filter((member) => !isNull(member));
  return others.length === 1 ? others[0] : undefined;
}

/** Whether a schema allows null and nothing else, and says no more than what it is for. */
function isNull(schema: Schema): boolean {
  return schema.type?.join() === "null" && Object.keys(schema).every((key) => ONLY_NULL.has(key));
}

const ONLY_NULL: ReadonlySet<string> = new Set(["pointer", "type", "title", "description"]);

/** Each alternative has to match where the property has one of its values; which of them matches is not asked twice. */
function setDiscriminator(
  schema: Schema,
  written: Record<string, unknown>,
  options: JsonSchemaOptions,
): void {
  const discriminator = findDiscriminator(schema, options.registry);
  if (discriminator === undefined) return;
  const { keyword, propertyName, choices } = discriminator;
  const has = (values: readonly unknown[]) => ({
    type: "object",
    required: [propertyName],
    properties: Object.fromEntries([[propertyName, { enum: values }]]),
  });
  Reflect.deleteProperty(written, keyword);
  addPart(written, has(choices.flatMap(({ values }) => values)));
  for (const { reference, values } of choices)
    addPart(written, { if: has(values), then: { $ref: options.toUri(reference) } });
}

function addPart(written: Record<string, unknown>, part: JsonSchema): void {
  written["allOf"] = [...((written["allOf"] as readonly JsonSchema[] | undefined) ?? []), part];
}
