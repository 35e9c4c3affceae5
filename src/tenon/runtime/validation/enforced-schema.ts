import { isSchema, readDiscriminator, type Schemas } from "../../core/legacy/discriminator.js";
import { impliedType } from "../../core/schema/implied-type.js";

type Schema = Readonly<Record<string, unknown>>;

/** Whose schemas: requests lack what is readOnly, responses what is writeOnly. */
export type Side = "request" | "response";

export interface SchemaContext {
  readonly side: Side;
  /** Whether a type that is only implied counts, as it does wherever the generated types look: not within conditions. */
  readonly impliesTypes: boolean;
  /** OpenAPI 3.0's schemas, in which `nullable` counts and the siblings of `$ref` do not. */
  readonly dialect30: boolean;
  /** The contract's schema components. */
  readonly schemas: Schemas;
  /** The schema that a reference leads to; undefined when it leads nowhere. */
  readonly lookUp: (reference: string) => unknown;
  /** The reference to use instead, see {@link toEnforcedSchema}. */
  readonly refer: (reference: string) => string;
}

const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas"]);
const SINGLE = new Set([
  ...["additionalProperties", "items", "contains", "propertyNames", "not", "if", "then", "else"],
  ...["unevaluatedProperties", "unevaluatedItems"],
]);
/** About the same value as the schema that they are in, and nothing that a type can say. */
const CONDITIONS = new Set(["if", "then", "else", "not"]);
/** Say nothing about which values are valid, or are said in other words here. */
const DROPPED = new Set([
  ...["title", "description", "example", "examples", "externalDocs", "xml", "deprecated", "$comment"],
  ...["nullable", "discriminator", "$defs", "definitions", "$id", "$schema", "$anchor"],
]);

/**
 * A schema as the validator is given it: the same values are valid, and it compiles.
 * - every integer stays within ±(2^53 − 1), so that a value is kept exactly or refused, never rounded
 *   (RFC 7493, section 2.2): a larger one has already lost digits when the validator sees it;
 * - every reference leads to a whole component, where the validator compiles it once;
 * - `nullable` means what its author meant: the validator refuses to compile it without `type`, and ignores it beside `enum`;
 * - a discriminator chooses the one schema that has to match, at any depth, so that problems are told of that one;
 * - `required` does not ask for what the side does not have;
 * - what describes properties is an object, and what describes items an array.
 */
export function toEnforcedSchema(
  schema: unknown,
  context: SchemaContext,
  absent: ReadonlySet<string> = new Set(),
): unknown {
  if (!isSchema(schema)) return schema;
  const { $ref, ...siblings } = schema;
  if (typeof $ref === "string") {
    const reference = { $ref: context.refer($ref) };
    return context.dialect30 ? reference : { ...copyKeywords(siblings, context, absent), ...reference };
  }
  const keywords = copyKeywords(schema, context, absent);
  return context.dialect30 && schema["nullable"] === true ? allowNull(keywords) : keywords;
}

/** Keywords that null has to get past, besides `type` and `enum`. */
const COMPOSING = ["allOf", "anyOf", "oneOf", "not", "if"];

/** With the validator's own `nullable` where that is enough, so that who looks for the `type` of a parameter finds it. */
function allowNull(keywords: Schema): Schema {
  if (keywords["type"] === undefined || COMPOSING.some((key) => key in keywords)) {
    return { if: { enum: [null] }, else: keywords };
  }
  const { enum: values } = keywords;
  return {
    ...keywords,
    nullable: true,
    ...(Array.isArray(values) && { enum: [...new Set([...(values as unknown[]), null])] }),
  };
}

function copyKeywords(
  schema: Schema,
  context: SchemaContext,
  outerAbsent: ReadonlySet<string>,
): Record<string, unknown> {
  const absent = new Set([...outerAbsent, ...findAbsent(schema, context, new Set())]);
  const dispatch = toDispatch(schema, context);
  const inside = (value: unknown) => toEnforcedSchema(value, context);
  const condition = (value: unknown) => toEnforcedSchema(value, { ...context, impliesTypes: false }, absent);
  // The parts of one value share what is absent, its members do not.
  const beside = (value: unknown) => toEnforcedSchema(value, context, absent);
  const keywords = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (DROPPED.has(key) || key.startsWith("x-") || key === dispatch?.replaced) return [];
    if (LISTS.has(key) && Array.isArray(value))
      return [[key, value.map(key === "prefixItems" ? inside : beside)]];
    if (MAPS.has(key) && isSchema(value)) {
      const copy = key === "dependentSchemas" ? condition : inside;
      // fromEntries defines members, where an assignment to "__proto__" would not.
      return [[key, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))]];
    }
    if (SINGLE.has(key)) return [[key, CONDITIONS.has(key) ? condition(value) : inside(value)]];
    if (key === "required" && Array.isArray(value)) return toRequired(value, absent);
    // An empty enum would be refused; it restricts nothing that anybody could mean.
    if (key === "enum" && Array.isArray(value) && value.length === 0) return [];
    return [[key, value]];
  });
  const copy: Record<string, unknown> = Object.fromEntries(keywords);
  setPrototypeAside(copy);
  if (dispatch) copy["allOf"] = [...((copy["allOf"] as unknown[] | undefined) ?? []), ...dispatch.parts];
  const implied = context.impliesTypes ? impliedType(schema) : undefined;
  return { ...(implied && { type: implied }), ...copy, ...toSafeBounds(schema) };
}

/** The validator passes over a property called `__proto__`, as if nobody declared it; not where a pattern says its name. */
function setPrototypeAside(copy: Record<string, unknown>): void {
  const { properties, patternProperties } = copy;
  if (!isSchema(properties) || !Object.hasOwn(properties, "__proto__")) return;
  const { ["__proto__"]: declared, ...others } = properties;
  copy["properties"] = others;
  copy["patternProperties"] = {
    ...(isSchema(patternProperties) && patternProperties),
    "^__proto__$": declared,
  };
}

function toRequired(names: readonly unknown[], absent: ReadonlySet<string>): [string, unknown][] {
  const present = names.filter((name) => !absent.has(name as string));
  return present.length > 0 ? [["required", present]] : [];
}

function toSafeBounds({ type, minimum, maximum }: Schema): Schema {
  const isInteger =
    type === "integer" || (Array.isArray(type) && type.includes("integer") && !type.includes("number"));
  if (!isInteger) return {};
  return {
    minimum: Math.max(Number(minimum ?? -Infinity), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(maximum ?? Infinity), Number.MAX_SAFE_INTEGER),
  };
}

interface Dispatch {
  readonly replaced: "oneOf" | "anyOf";
  /** One says which values there are, and one for each choice what follows from its own. */
  readonly parts: readonly Schema[];
}

function toDispatch(schema: Schema, context: SchemaContext): Dispatch | undefined {
  const discriminator = readDiscriminator(schema, context.schemas);
  if (discriminator === undefined) return undefined;
  const { propertyName, choices } = discriminator;
  const has = (values: readonly unknown[]) => ({
    type: "object",
    required: [propertyName],
    properties: { [propertyName]: { enum: values } },
  });
  return {
    replaced: schema["oneOf"] === undefined ? "anyOf" : "oneOf",
    parts: [
      has(choices.flatMap(({ values }) => values)),
      ...choices.map(({ reference, values }) => ({
        if: has(values),
        then: { $ref: context.refer(reference) },
      })),
    ],
  };
}

/** Names of properties that the side does not have, declared by the schema itself or by its parts. */
function findAbsent(schema: unknown, context: SchemaContext, seen: Set<unknown>): readonly string[] {
  if (!isSchema(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, properties, allOf } = schema;
  const own = Object.entries(isSchema(properties) ? properties : {}).filter(([, property]) =>
    isAbsent(property, context),
  );
  return [
    ...own.map(([name]) => name),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => findAbsent(part, context, seen)) : []),
    ...(typeof $ref === "string" ? findAbsent(context.lookUp($ref), context, seen) : []),
  ];
}

function isAbsent(property: unknown, context: SchemaContext): boolean {
  const key = context.side === "request" ? "readOnly" : "writeOnly";
  const seen = new Set<unknown>();
  for (
    let schema = property;
    isSchema(schema) && !seen.has(schema);
    schema = context.lookUp(schema["$ref"])
  ) {
    const ignored = context.dialect30 && schema["$ref"] !== undefined;
    if (schema[key] === true && !ignored) return true;
    if (typeof schema["$ref"] !== "string") return false;
    seen.add(schema);
  }
  return false;
}
