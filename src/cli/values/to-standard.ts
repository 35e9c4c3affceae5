import { isSchema, readDiscriminator, type Schemas } from "tenon/core/legacy/discriminator";
import { impliedType } from "tenon/core/schema/implied-type";
import type { Schema } from "./schema.js";

type Node = Readonly<Record<string, unknown>>;

export interface StandardContext {
  readonly side: "request" | "response";
  readonly dialect30: boolean;
  readonly components: Schemas;
  readonly lookUp: (reference: string) => unknown;
  /** How a pattern is for who reads it; undefined where it cannot be read, and says nothing. */
  readonly readPattern: (pattern: string) => string | undefined;
  /** The key of the schema that a reference leads to; undefined when it leads nowhere. */
  readonly refer: (reference: string) => string | undefined;
}

const PLAIN = new Set([
  ...["enum", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minLength", "maxLength", "format", "contentMediaType", "contentEncoding"],
  ...["minItems", "maxItems", "uniqueItems", "minContains", "maxContains"],
  ...["minProperties", "maxProperties", "dependentRequired", "default"],
]);
const SINGLE = new Set([
  ...["items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"],
  ...["unevaluatedProperties", "unevaluatedItems"],
]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** What clients would fail to read; other formats are names that every author gives a meaning of their own. */
const RESPONSE_FORMATS: Readonly<Record<string, string>> = {
  date: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$",
  "date-time":
    "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\d{2})$",
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
};

/**
 * Writes an OpenAPI schema as one of JSON Schema 2020-12 that means the same to one side: `nullable` and boolean exclusive bounds
 * of OpenAPI 3.0 in today's words, requests without what is `readOnly`, responses that must not have what is `writeOnly`, and
 * a discriminator as what it says: which alternative a value has to match.
 */
export function toStandard(schema: unknown, context: StandardContext): Schema {
  if (typeof schema === "boolean") return schema;
  if (!isSchema(schema)) return true;
  const { $ref, ...siblings } = schema;
  if (typeof $ref !== "string") return fromKeywords(schema, context);
  const key = context.refer($ref);
  const target: Schema = key === undefined ? true : { $ref: `#/$defs/${key}` };
  if (context.dialect30 || Object.keys(siblings).length === 0) return target;
  const beside = fromKeywords(siblings, context);
  return typeof beside === "boolean" || typeof target === "boolean" ? target : { ...beside, ...target };
}

function fromKeywords(schema: Node, context: StandardContext): Schema {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "pattern") setPattern(value, copy, context);
    else if (PLAIN.has(key)) copy[key] = value;
    else if (SINGLE.has(key)) copy[key] = toStandard(value, context);
    else if (LISTS.has(key) && Array.isArray(value)) copy[key] = value.map((one) => toStandard(one, context));
    else if (MAPS.has(key) && isSchema(value)) {
      const read = key === "patternProperties" ? readPatterns(value, context) : value;
      copy[key] = mapMembers(read, (member) => toStandard(member, context));
    }
  }
  setType(schema, copy, context);
  if ("const" in schema) copy["enum"] = [schema["const"]];
  setExamples(schema, copy);
  setBounds(schema, copy);
  setMembers(schema, copy, context);
  setDiscriminator(schema, copy, context);
  return addFormat(allowNull(schema, copy, context), context);
}

function setPattern(pattern: unknown, copy: Record<string, unknown>, { readPattern }: StandardContext): void {
  const readable = typeof pattern === "string" ? readPattern(pattern) : undefined;
  if (readable !== undefined) copy["pattern"] = readable;
}

function readPatterns(members: Node, { readPattern }: StandardContext): Node {
  const read = Object.entries(members).flatMap(([written, member]) => {
    const pattern = readPattern(written);
    return pattern === undefined ? [] : [[pattern, member] as const];
  });
  return Object.fromEntries(read);
}

function setType(schema: Node, copy: Record<string, unknown>, { dialect30 }: StandardContext): void {
  const { type } = schema;
  const types = ([] as unknown[]).concat(type ?? impliedType(schema) ?? []);
  if (types.length === 0) return;
  const nullable = dialect30 && schema["nullable"] === true;
  copy["type"] = [...new Set([...types, ...(nullable && type !== undefined ? ["null"] : [])])];
}

function setExamples(schema: Node, copy: Record<string, unknown>): void {
  const several = Array.isArray(schema["examples"]) ? (schema["examples"] as unknown[]) : [];
  const examples = "example" in schema ? [schema["example"], ...several] : several;
  if (examples.length > 0) copy["examples"] = examples;
}

/** OpenAPI 3.0: `exclusiveMinimum: true` says how `minimum` is meant. */
function setBounds(schema: Node, copy: Record<string, unknown>): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    const value = schema[bound];
    copy[exclusive] = undefined;
    if (schema[exclusive] && typeof value === "number") {
      copy[exclusive] = value;
      copy[bound] = undefined;
    }
  }
  for (const key of ["exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum"]) {
    if (key in copy && copy[key] === undefined) Reflect.deleteProperty(copy, key);
  }
}

/** A request lacks what is `readOnly`; a response that has something `writeOnly` tells what it should keep. */
function setMembers(schema: Node, copy: Record<string, unknown>, context: StandardContext): void {
  const { side } = context;
  const declared = isSchema(schema["properties"]) ? schema["properties"] : {};
  const absent = new Set(findAbsent(schema, context, new Set()));
  if (isSchema(copy["properties"])) {
    const kept = Object.entries(copy["properties"]).flatMap(([name, member]): [string, unknown][] => {
      if (!isAbsent(declared[name], context)) return [[name, member]];
      return side === "request" ? [] : [[name, false]];
    });
    copy["properties"] = Object.fromEntries(kept);
  }
  const { required } = schema;
  if (!Array.isArray(required)) return;
  const wanted = required.filter((name) => typeof name === "string" && !absent.has(name));
  if (wanted.length > 0) copy["required"] = wanted;
}

function findAbsent(schema: unknown, context: StandardContext, seen: Set<unknown>): readonly string[] {
  if (!isSchema(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, properties, allOf } = schema;
  return [
    ...Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, member]) =>
      isAbsent(member, context) ? [name] : [],
    ),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => findAbsent(part, context, seen)) : []),
    ...(typeof $ref === "string" ? findAbsent(context.lookUp($ref), context, seen) : []),
  ];
}

function isAbsent(property: unknown, context: StandardContext): boolean {
  const key = context.side === "request" ? "readOnly" : "writeOnly";
  const seen = new Set<unknown>();
  for (let node = property; isSchema(node) && !seen.has(node); node = context.lookUp(node["$ref"])) {
    seen.add(node);
    const ignored = context.dialect30 && node["$ref"] !== undefined;
    if (node[key] === true && !ignored) return true;
    if (typeof node["$ref"] !== "string") return false;
  }
  return false;
}

/** Each alternative matches with its own values of the property only; which of them matches is not asked twice. */
function setDiscriminator(schema: Node, copy: Record<string, unknown>, context: StandardContext): void {
  const key = Array.isArray(copy["oneOf"]) ? "oneOf" : "anyOf";
  if (!isSchema(schema["discriminator"]) || !Array.isArray(copy[key])) return;
  const members = copy[key] as readonly unknown[];
  const discriminator = readDiscriminator(schema, context.components);
  Reflect.deleteProperty(copy, key);
  copy["anyOf"] = members.map((member, index) => {
    const values = discriminator?.choices[index]?.values;
    if (discriminator === undefined || values === undefined) return member;
    const { propertyName } = discriminator;
    return {
      allOf: [member, { properties: { [propertyName]: { enum: values } }, required: [propertyName] }],
    };
  });
}

function allowNull(schema: Node, copy: Record<string, unknown>, { dialect30 }: StandardContext): Schema {
  if (!dialect30 || schema["nullable"] !== true) return copy;
  const composed = ["allOf", "anyOf", "oneOf", "not"].some((key) => key in copy);
  if (composed || copy["type"] === undefined) return { anyOf: [{ type: ["null"] }, copy] };
  const values = copy["enum"];
  return Array.isArray(values) && !values.includes(null)
    ? { ...copy, enum: [...(values as unknown[]), null] }
    : copy;
}

function addFormat(schema: Schema, { side }: StandardContext): Schema {
  if (side === "request" || typeof schema === "boolean" || schema.format === undefined) return schema;
  const pattern = Object.hasOwn(RESPONSE_FORMATS, schema.format)
    ? RESPONSE_FORMATS[schema.format]
    : undefined;
  return pattern === undefined ? schema : { ...schema, allOf: [...(schema.allOf ?? []), { pattern }] };
}

/** fromEntries defines members, where an assignment to "__proto__" would not. */
function mapMembers(members: Node, change: (member: unknown) => Schema): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
