import type { Lifecycle, Node } from "tenon/core/document";
import {
  findDiscriminator,
  isSame,
  type JsonType,
  otherProperties,
  type Schema,
  type SchemaRegistry,
} from "tenon/core/schema";
import { describeDeprecation, describeStability } from "../lifecycle-comment.js";
import {
  ANY,
  encodeName,
  extension,
  intersect,
  literals,
  NEVER,
  NULL,
  type TypedSchema,
  unite,
} from "./typed-schema.js";

export interface SchemaContext {
  readonly registry: SchemaRegistry;
  /** Returns the typed schema for a reference. */
  readonly toTarget: (reference: string) => TypedSchema;
  /** The type of bytes in a part. */
  readonly bytes?: TypedSchema;
  /** Receives the types to import from the client. */
  readonly imports: Set<string>;
}

/** Converts a schema to a {@link TypedSchema}. */
export function toSchema(schema: Schema, context: SchemaContext): TypedSchema {
  if (schema.never === true) return NEVER;
  if (schema.bytes === true) return context.bytes ?? ANY;
  const { reference, allOf = [] } = schema;
  const target = reference === undefined ? [] : [context.toTarget(reference)];
  const parts = allOf.map((part) => toSchema(part, context));
  const choices = (["oneOf", "anyOf"] as const).flatMap((key) =>
    schema[key] ? [toChoices(schema, key, context)] : [],
  );
  const composed = target.length + parts.length + choices.length > 0;
  return intersect([...target, ...parts, ...toOwnSchemas(schema, composed, context), ...choices]);
}

/** Converts a schema like {@link toSchema}, with the fields of its comment. */
export function toAnnotatedSchema(schema: Schema, context: SchemaContext): TypedSchema {
  return { ...toAnnotations(schema), ...toSchema(schema, context) };
}

/**
 * Converts alternatives. `Dog` becomes `Dog & { kind: "dog" }`, so that a check of `kind` narrows the union, unless `Dog` itself
 * declares the value.
 */
function toChoices(schema: Schema, key: "oneOf" | "anyOf", context: SchemaContext): TypedSchema {
  const discriminator = findDiscriminator(schema, context.registry);
  const choices = (schema[key] ?? []).map((member, index) => {
    const choice = toSchema(member, context);
    if (discriminator?.keyword !== key) return choice;
    const { values = [], declared = true } = discriminator.choices[index] ?? {};
    if (declared) return choice;
    const name = encodeName(discriminator.propertyName);
    return intersect([
      choice,
      { type: "object", properties: { [name]: literals(values) }, required: [name] },
    ]);
  });
  return unite(choices);
}

/**
 * Converts the schema's own keywords.
 * @param composed True if there are other parts, so that `type: object` alone adds nothing.
 */
function toOwnSchemas(schema: Schema, composed: boolean, context: SchemaContext): readonly TypedSchema[] {
  if (schema.enum) return [toLiterals(schema.enum)];
  const { type = [], properties, required, items, prefixItems } = schema;
  const shape = properties ?? required ?? otherProperties(schema);
  // `Pet & Record<string, unknown>` would accept every misspelt name.
  const bare =
    (type.includes("object") && shape === undefined) ||
    (type.includes("array") && (items ?? prefixItems) === undefined);
  if (type.length === 0 || (composed && bare)) return [];
  return [unite(type.map((one) => toTypeSchema(one, schema, context)))];
}

/** Converts values to literal types; objects and arrays, which have none, become any value. */
function toLiterals(values: readonly unknown[]): TypedSchema {
  if (values.some((value) => typeof value === "object" && value !== null)) return ANY;
  // YAML has `.inf`; JSON and literal types do not.
  if (values.some((value) => typeof value === "number" && !Number.isFinite(value))) return { type: "number" };
  return literals(values);
}

function toTypeSchema(type: JsonType, schema: Schema, context: SchemaContext): TypedSchema {
  switch (type) {
    case "null":
      return NULL;
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { type };
    case "array":
      return toArraySchema(schema, context);
    case "object":
      return toObjectSchema(schema, context);
    default:
      return ANY;
  }
}

function toArraySchema(schema: Schema, context: SchemaContext): TypedSchema {
  const { items, prefixItems = [], minItems } = schema;
  const rest = items === undefined ? ANY : toSchema(items, context);
  if (prefixItems.length === 0) return { type: "array", items: rest };
  return extension({
    kind: "tuple",
    items: prefixItems.map((item) => toSchema(item, context)),
    required: Math.min(typeof minItems === "number" ? minItems : 0, prefixItems.length),
    ...(rest !== NEVER && { rest }),
  });
}

function toObjectSchema(schema: Schema, context: SchemaContext): TypedSchema {
  const { properties = {}, required = [] } = schema;
  const declared = Object.entries(properties).map(
    ([name, property]) => [name, toProperty(property, context)] as const,
  );
  const elsewhere = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => [name, extension({ kind: "defined" })] as const);
  const others = otherProperties(schema);
  return toMembers([...declared, ...elsewhere], required, others && toSchema(others, context));
}

/**
 * Converts an object.
 * @param others Type of undeclared members; absent if the schema does not restrict them.
 */
export function toMembers(
  properties: readonly (readonly [name: string, type: TypedSchema])[],
  required: readonly string[],
  others: TypedSchema | undefined,
): TypedSchema {
  if (properties.length === 0)
    return { type: "object", ...(others && { additionalProperties: isSame(others, ANY) ? true : others }) };
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(([name, type]) => [encodeName(name), type])),
    required: required.map(encodeName),
    // The type of an index signature would have to include the declared members.
    ...(others && others !== NEVER && { additionalProperties: true }),
  };
}

/** Converts a property. Only properties have comments, `readOnly` and `writeOnly`. */
function toProperty(schema: Schema, { registry, imports, ...context }: SchemaContext): TypedSchema {
  const property = toAnnotatedSchema(schema, { registry, imports, ...context });
  const read = registry.isAbsent(schema, "request");
  if (read === registry.isAbsent(schema, "response")) return property;
  imports.add(read ? "$Read" : "$Write");
  return { ...property, [read ? "readOnly" : "writeOnly"]: true };
}

/** The fields of a node that its comment contains. */
interface Annotated {
  readonly title?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly lifecycle?: Lifecycle;
}

/**
 * Returns the fields from which openapi-typescript emits the comment of a member. A lifecycle becomes plain text, because its own
 * `@deprecated` has no text. It comes last, because the text of a tag ends at the next tag.
 * @param successor Description of the operation to use instead.
 */
export function toAnnotations(annotated: Annotated, successor?: string): Node {
  const { lifecycle, ...written } = annotated;
  const { title, summary, format, ...tags } = pick(written);
  if (lifecycle === undefined) return { title, summary, format, ...tags };
  const [stability] = describeStability(lifecycle);
  if (!lifecycle.deprecated)
    return { title: joinLines([title, summary]), summary: stability, format, ...tags };
  const formatted = format === undefined ? undefined : `Format: ${format}`;
  const text = joinLines([title, summary, formatted, stability]);
  return { title: text, summary: disarm(describeDeprecation(lifecycle, undefined, successor)), ...tags };
}

function pick(annotated: Annotated): Omit<Annotated, "lifecycle"> {
  const { title, summary, description, format, examples } = annotated;
  return {
    ...(title !== undefined && { title: disarm(title) }),
    ...(summary !== undefined && { summary: disarm(summary) }),
    ...(format !== undefined && { format: disarm(format) }),
    ...(description !== undefined && { description: disarm(description) }),
    ...("default" in annotated && { default: disarm(annotated.default) }),
    ...(examples && { examples: examples.map(disarm) }),
  };
}

function joinLines(texts: readonly (string | undefined)[]): string | undefined {
  const lines = texts.filter((text) => text !== undefined);
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Escapes directives such as `@ts-expect-error`, which the compiler would obey. */
function disarm<Value>(value: Value): Value | string {
  return typeof value === "string" ? value.replaceAll(/(?<!\\)@ts-/g, "\\@ts-") : value;
}
