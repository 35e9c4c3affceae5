import { readLasting } from "../document/lifecycle.js";
import { isNode, type Node, pickTexts, toArray, toNode, toStrings, toText } from "../document/node.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { getReference } from "../document/source.js";
import type { Dialect } from "../document/version.js";
import { isSame, type JsonType } from "./json-value.js";
import { type DiscriminatorKeyword, type Schema, SCHEMA_KEYWORDS } from "./schema.js";

/** The document's context that is needed to read a schema. */
export interface SchemaContext {
  readonly dialect: Dialect;
  /** Returns the key of the target of a `$ref` at `pointer`; undefined if there is none, and the `$ref` is ignored. */
  toReference(reference: string, pointer: string): string | undefined;
  /** Resolves a value of a discriminator's mapping: the name of a component, or a reference. */
  toMapped(target: string, pointer: string): string | undefined;
}

/** Keywords whose values are kept unchanged. */
const PLAIN = [
  ...["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"],
  ...["pattern", "format", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains"],
  ...["minProperties", "maxProperties", "dependentRequired", "contentMediaType", "contentEncoding"],
];

/** Keywords that apply to the same value as their schema and cannot be expressed as a type. */
const CONDITIONS: ReadonlySet<string> = new Set(["if", "then", "else", "not", "dependentSchemas"]);

/** Keywords that null must satisfy besides `type` and `enum`. */
const COMPOSING = ["allOf", "anyOf", "oneOf", "not", "if"] as const;

/**
 * Reads a schema of OpenAPI 3.0, 3.1 or 3.2. Values under `example`, `default`, `const` and `enum` are data: a `$ref` in them is not
 * a reference.
 * @param value The schema in the document.
 * @param inCondition True within a condition, where `properties` does not imply an object.
 * @see https://spec.openapis.org/oas/v3.1.0#schema-object
 * @see https://spec.openapis.org/oas/v3.0.3#schema-object
 */
export function readSchema(
  value: unknown,
  pointer: string,
  context: SchemaContext,
  inCondition = false,
): Schema {
  if (value === false) return { pointer, never: true };
  if (!isNode(value)) return { pointer };
  if (isNever(value)) return { pointer, never: true };
  const reference = getReference(value);
  if (reference === undefined) return readKeywords(value, pointer, context, inCondition);
  const target = context.toReference(reference, pointer);
  const own = target === undefined ? { pointer } : { pointer, reference: target };
  return context.dialect === "3.0" ? own : { ...readKeywords(value, pointer, context, inCondition), ...own };
}

/** Tests for `{ not: {} }`, the equivalent of `false` in OpenAPI 3.0. */
function isNever(node: Node): boolean {
  const { not } = node;
  const isAnything = not === true || (isNode(not) && Object.keys(not).length === 0);
  return isAnything && Object.keys(node).length === 1;
}

function readKeywords(node: Node, pointer: string, context: SchemaContext, inCondition: boolean): Schema {
  const { dialect } = context;
  const keywords: Record<string, unknown> = {};
  for (const key of PLAIN) {
    const value = getOwn(node, key);
    if (value !== undefined) keywords[key] = value;
  }
  const dynamicReference = toText(node["$dynamicRef"]) ?? toText(node["$recursiveRef"]);
  if (dynamicReference !== undefined) keywords["dynamicReference"] = dynamicReference;
  const required = toStrings(getOwn(node, "required"));
  if (required.length > 0) keywords["required"] = required;
  if (dialect === "3.0") setBounds(node, keywords);
  const child = (value: unknown, key: string, ...path: (string | number)[]) =>
    readSchema(value, joinPointer(pointer, key, ...path), context, inCondition || CONDITIONS.has(key));
  for (const key of SCHEMA_KEYWORDS.single) {
    const value = getOwn(node, key);
    if (value !== undefined) keywords[key] = child(value, key);
  }
  for (const key of SCHEMA_KEYWORDS.lists) {
    const list = toArray(getOwn(node, key));
    if (list.length > 0) keywords[key] = list.map((value, index) => child(value, key, index));
  }
  for (const key of SCHEMA_KEYWORDS.maps) {
    const map = getOwn(node, key);
    // An assignment to "__proto__" would not define a member; fromEntries does.
    if (isNode(map))
      keywords[key] = Object.fromEntries(
        Object.entries(map).map(([name, value]) => [name, child(value, key, name)]),
      );
  }
  const content = getOwn(node, "contentSchema");
  if (content !== undefined) keywords["contentSchema"] = child(content, "contentSchema");
  const isNullable = dialect === "3.0" && node["nullable"] === true;
  const types = readTypes(node, inCondition);
  const values = readEnum(node);
  if (values?.length === 0) return { ...readAnnotations(node, pointer, context), never: true };
  const isComposed = COMPOSING.some((key) => key in keywords);
  if (isNullable && (types.length === 0 || isComposed)) {
    if (types.length > 0) keywords["type"] = types;
    if (values) keywords["enum"] = values;
    const { discriminator, ...annotations } = readAnnotations(node, pointer, context);
    const rest = { ...keywords, pointer, ...(discriminator && { discriminator }) };
    return { ...annotations, anyOf: [rest, { pointer, type: ["null"] }] };
  }
  if (types.length > 0) keywords["type"] = isNullable ? [...new Set([...types, "null"])] : types;
  if (values) keywords["enum"] = isNullable && !values.includes(null) ? [...values, null] : values;
  return { ...keywords, ...readAnnotations(node, pointer, context) };
}

/** Reads `type`, or the implied type of a schema without one. */
function readTypes(node: Node, inCondition: boolean): readonly JsonType[] {
  const stated = typeof node["type"] === "string" ? [node["type"]] : toStrings(node["type"]);
  const implied = inCondition ? undefined : impliedType(node);
  return (implied === undefined ? stated : [implied]) as JsonType[];
}

/** Reads `enum` and `const`; empty if they exclude each other. An empty `enum`, which validators reject, is ignored. */
function readEnum(node: Node): readonly unknown[] | undefined {
  const constant = getOwn(node, "const");
  const values = toArray(getOwn(node, "enum"));
  if (constant === undefined) return values.length > 0 ? values : undefined;
  return values.length === 0 || values.some((value) => isSame(value, constant)) ? [constant] : [];
}

/** Converts bounds of OpenAPI 3.0, where `exclusiveMinimum: true` makes `minimum` exclusive. */
function setBounds(node: Node, keywords: Record<string, unknown>): void {
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof node[exclusive] !== "boolean") continue;
    Reflect.deleteProperty(keywords, exclusive);
    if (!node[exclusive] || node[bound] === undefined) continue;
    keywords[exclusive] = node[bound];
    Reflect.deleteProperty(keywords, bound);
  }
}

function readAnnotations(node: Node, pointer: string, context: SchemaContext): Schema {
  const meanings = Object.entries(toNode(getOwn(node, "x-enumDescriptions"))).filter(isTextEntry);
  const extensible = getOwn(node, "x-extensible-enum");
  const value = getOwn(node, "default");
  const several = toArray(getOwn(node, "examples"));
  const examples = Object.hasOwn(node, "example") ? [node["example"], ...several] : several;
  const discriminator = readDiscriminator(node, pointer, context);
  return {
    pointer,
    ...pickTexts(node, "title", "description"),
    ...(meanings.length > 0 && { enumDescriptions: Object.fromEntries(meanings) }),
    ...(Array.isArray(extensible) && { extensibleEnum: extensible }),
    ...(value !== undefined && { default: value }),
    ...(examples.length > 0 && { examples }),
    ...(node["readOnly"] === true && { readOnly: true }),
    ...(node["writeOnly"] === true && { writeOnly: true }),
    ...(discriminator && { discriminator }),
    ...readLasting(node),
  };
}

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}

function readDiscriminator(
  node: Node,
  pointer: string,
  context: SchemaContext,
): DiscriminatorKeyword | undefined {
  const discriminator = getOwn(node, "discriminator");
  if (!isNode(discriminator)) return undefined;
  const propertyName = toText(discriminator["propertyName"]);
  if (propertyName === undefined) return undefined;
  const mapping = getOwn(discriminator, "mapping");
  const toMapped = (target: unknown) =>
    typeof target === "string" ? context.toMapped(target, pointer) : undefined;
  const defaultMapping = toMapped(getOwn(discriminator, "defaultMapping"));
  return {
    propertyName,
    mapping: Object.entries(isNode(mapping) ? mapping : {}).flatMap(([value, target]) => {
      const reference = toMapped(target);
      return reference === undefined ? [] : [[value, reference] as const];
    }),
    ...(defaultMapping !== undefined && { defaultMapping }),
  };
}

const OF_OBJECTS = "properties required additionalProperties patternProperties unevaluatedProperties".split(
  " ",
);
const OF_ARRAYS = ["items", "prefixItems"];

/**
 * Finds the type that a schema implies: a schema with `properties` and without `type` means an object. In JSON Schema such
 * keywords do not restrict other values, so 5 would be valid. Types and validator both add the implied type.
 * @returns undefined when the schema has `type`, `enum` or `const`, or implies nothing.
 */
export function impliedType(schema: Readonly<Record<string, unknown>>): "object" | "array" | undefined {
  if (["type", "enum", "const"].some((key) => schema[key] !== undefined)) return undefined;
  if (OF_OBJECTS.some((key) => schema[key] !== undefined)) return "object";
  return OF_ARRAYS.some((key) => schema[key] !== undefined) ? "array" : undefined;
}
