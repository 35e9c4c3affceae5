import { getSchemas, isNode, type Node, toArray, toStrings, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { type Choice, readDiscriminator } from "tenon/core/legacy/discriminator";
import { type Lifecycle, readLifecycle } from "tenon/core/document/lifecycle";
import { describeStability, tagDeprecated } from "../lifecycle-comment.js";
import { encodeName } from "./names.js";
import { dereference } from "./references.js";
import { ANY, extension, intersect, literals, NEVER, NULL, type TypedSchema, unite } from "./typed-schema.js";

export interface SchemaContext {
  readonly document: Node;
  /** OpenAPI 3.0, where `nullable` means something and what stands beside `$ref` does not. */
  readonly dialect30: boolean;
  /** The typed schema for a `$ref`. */
  readonly toTarget: (reference: string) => TypedSchema;
  /** Types of the client's that the schema needs are added. */
  readonly imports: Set<string>;
  /** Tells what cannot be said, and that something wider is said. */
  readonly report: (message: string) => void;
  /** The schema is a multipart form's, or a field's of one, where bytes are a file. */
  readonly multipart?: "form" | "field" | undefined;
}

/** Members that comments are made of. */
const TEXTS: readonly string[] = ["title", "summary", "description", "format"];
const ANNOTATIONS = [...TEXTS, "default", "example", "examples"];

const SHAPE = ["properties", "additionalProperties", "patternProperties", "required"];
const LIST = ["items", "prefixItems"];
const CONSTRAINTS = ["type", "enum", "const", "allOf", "oneOf", "anyOf", ...SHAPE, ...LIST];

/**
 * Rewrites a schema in the words of {@link TypedSchema}, and keeps what its comment is made of.
 * @param value A schema of the document: a node or a boolean.
 */
export function toAnnotatedSchema(value: unknown, context: SchemaContext): TypedSchema {
  const schema = toSchema(value, context);
  return isNode(value) ? { ...toAnnotations(value), ...schema } : schema;
}

/**
 * What a comment is made of, as far as openapi-typescript takes it: it trims every title as a text.
 * @param successor How to name what replaces an operation.
 */
export function toAnnotations(node: Node, successor?: string): Node {
  const annotations: Record<string, unknown> = {};
  for (const key of ANNOTATIONS) {
    const value = getOwn(node, key);
    if (value === undefined || (TEXTS.includes(key) && typeof value !== "string")) continue;
    annotations[key] = typeof value === "string" ? disarm(value) : value;
  }
  return withLifecycle(annotations, readLifecycle(node), successor);
}

/**
 * Says a lifecycle by texts that openapi-typescript writes as they are, because its own `@deprecated` stands alone. All other texts
 * go before the tag, whose text lasts until the next one.
 */
function withLifecycle(annotations: Node, lifecycle: Lifecycle, successor?: string): Node {
  const { title, summary, format, ...tags } = annotations;
  const [stability] = describeStability(lifecycle);
  if (lifecycle.deprecated) {
    const formatted = format === undefined ? undefined : `Format: ${toText(format) ?? ""}`;
    const text = joinLines([title, summary, formatted, stability]);
    return { title: text, summary: disarm(tagDeprecated(lifecycle, successor)), ...tags };
  }
  if (stability === undefined) return annotations;
  return { title: joinLines([title, summary]), summary: stability, format, ...tags };
}

function joinLines(texts: readonly unknown[]): string | undefined {
  const lines = texts.filter((text) => typeof text === "string");
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** The compiler takes orders from `@ts-expect-error`, in a comment too. */
function disarm(text: string): string {
  return text.replaceAll(/(?<!\\)@ts-/g, "\\@ts-");
}

export function toSchema(value: unknown, context: SchemaContext): TypedSchema {
  if (value === false) return NEVER;
  if (!isNode(value)) return ANY;
  const reference = toText(getOwn(value, "$ref"));
  const target = reference === undefined ? [] : [toTarget(reference, context)];
  if (target[0] !== undefined && (context.dialect30 || !hasAny(value, CONSTRAINTS))) return target[0];

  const parts = toArray(value["allOf"]).map((part) => toSchema(part, context));
  const discriminator = readDiscriminator(value, getSchemas(context.document));
  const told = value["oneOf"] === undefined ? "anyOf" : "oneOf";
  const choices = ["oneOf", "anyOf"].flatMap((key) => {
    const members = toArray(value[key]).map((member, index) => {
      const choice = key === told ? discriminator?.choices[index] : undefined;
      const schema = toSchema(member, context);
      return discriminator && choice ? pin(schema, discriminator.propertyName, choice) : schema;
    });
    return members.length === 0 ? [] : [unite(members)];
  });
  const composed = target.length + parts.length + choices.length > 0;
  const schema = intersect([...target, ...parts, ...toOwnSchemas(value, composed, context), ...choices]);
  return context.dialect30 && value["nullable"] === true ? unite([schema, NULL]) : schema;
}

function toTarget(reference: string, context: SchemaContext): TypedSchema {
  // A component is made of texts elsewhere, and of files only here.
  const target = context.multipart && dereference(context.document, { $ref: reference });
  return target && holdsFiles(target, context) ? toSchema(target, context) : context.toTarget(reference);
}

function holdsFiles(node: Node, { document, multipart }: SchemaContext): boolean {
  const { properties } = node;
  const parts = multipart === "form" ? Object.values(isNode(properties) ? properties : {}) : [node];
  const fields = parts.map((part) => dereference(document, part)).filter((field) => field !== undefined);
  const items = fields.map((field) => dereference(document, field["items"]));
  return [...fields, ...items].some((field) => field !== undefined && isFile(field));
}

/** `Dog` becomes `Dog & { kind: "dog" }`, so that a look at `kind` narrows a union, unless `Dog` says it itself. */
function pin(schema: TypedSchema, propertyName: string, { values, declared }: Choice): TypedSchema {
  if (declared) return schema;
  const name = encodeName(propertyName);
  return intersect([schema, { type: "object", properties: { [name]: literals(values) }, required: [name] }]);
}

/**
 * What the schema's own keywords say.
 * @param composed Whether there are other parts, which say more than `type: object` alone.
 */
function toOwnSchemas(node: Node, composed: boolean, context: SchemaContext): readonly TypedSchema[] {
  const constant = getOwn(node, "const");
  const values = constant === undefined ? toArray(node["enum"]) : [constant];
  if (values.length > 0) return [toLiterals(values)];
  if (context.multipart === "field" && isFile(node)) return [toFile(context)];

  const shaped = hasAny(node, SHAPE);
  const listed = hasAny(node, LIST);
  const implied = shaped ? ["object"] : listed ? ["array"] : [];
  const stated = typeof node["type"] === "string" ? [node["type"]] : toStrings(node["type"]);
  const types = stated.length > 0 ? stated : implied;
  // `Pet & Record<string, unknown>` would let every misspelt name pass.
  const bare = (types.includes("object") && !shaped) || (types.includes("array") && !listed);
  if (types.length === 0 || (composed && bare)) return [];
  return [unite(types.map((type) => toTypeSchema(type, node, context)))];
}

function hasAny(node: Node, keys: readonly string[]): boolean {
  return keys.some((key) => getOwn(node, key) !== undefined);
}

/** Literal types. What no literal type can say, an object or an array, could be anything. */
function toLiterals(values: readonly unknown[]): TypedSchema {
  if (values.some((value) => typeof value === "object" && value !== null)) return ANY;
  // YAML has `.inf`, JSON and literal types do not.
  if (values.some((value) => typeof value === "number" && !Number.isFinite(value))) return { type: "number" };
  return literals(values);
}

function toTypeSchema(type: string, node: Node, context: SchemaContext): TypedSchema {
  switch (type) {
    case "null":
      return NULL;
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { type };
    case "array":
      return toArraySchema(node, context);
    case "object":
      return toObjectSchema(node, context);
    default:
      return ANY;
  }
}

/**
 * Whether a field of a form is a file: its schema says bytes or, in 3.1, nothing at all.
 * @see https://spec.openapis.org/oas/v3.1.0#special-considerations-for-multipart-content
 */
function isFile(node: Node): boolean {
  if (node["format"] === "binary") return true;
  if (toText(node["contentMediaType"]) !== undefined) return node["contentEncoding"] === undefined;
  return !hasAny(node, CONSTRAINTS);
}

function toFile({ imports }: SchemaContext): TypedSchema {
  imports.add("FilePart");
  return extension({ kind: "named", name: "FilePart" });
}

function toArraySchema(node: Node, context: SchemaContext): TypedSchema {
  // A list under `items` is what drafts before 2020-12 called `prefixItems`.
  const listed = Array.isArray(node["items"]);
  const first = toArray(node["prefixItems"] ?? (listed ? node["items"] : []));
  const others = listed ? undefined : node["items"];
  const rest = others === undefined ? ANY : toSchema(others, context);
  if (first.length === 0) return { type: "array", items: rest };
  const minimum = typeof node["minItems"] === "number" ? node["minItems"] : 0;
  return extension({
    kind: "tuple",
    items: first.map((item) => toSchema(item, context)),
    required: Math.min(minimum, first.length),
    ...(others !== false && { rest }),
  });
}

function toObjectSchema(node: Node, outer: SchemaContext): TypedSchema {
  const context = { ...outer, multipart: outer.multipart === "form" ? ("field" as const) : undefined };
  const declared = isNode(node["properties"]) ? Object.entries(node["properties"]) : [];
  const names = new Set(declared.map(([name]) => name));
  const required = toStrings(node["required"]);
  const elsewhere = required.filter((name) => !names.has(name));
  const properties = [
    ...declared.map(([name, schema]) => [encodeName(name), toProperty(schema, context)] as const),
    ...elsewhere.map((name) => [encodeName(name), extension({ kind: "defined" })] as const),
  ];
  const others = toOthers(node, context);
  return {
    type: "object",
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties),
      required: required.map(encodeName),
    }),
    // Beside declared members, the type of the others would have to hold for those too.
    ...(others !== undefined &&
      (properties.length === 0
        ? { additionalProperties: others }
        : others !== NEVER && { additionalProperties: true })),
  };
}

/** What members may be that are not declared; undefined when nothing is said, which permits any. */
function toOthers(node: Node, context: SchemaContext): TypedSchema | true | undefined {
  const patterns = isNode(node["patternProperties"]) ? Object.values(node["patternProperties"]) : [];
  const declared = getOwn(node, "additionalProperties");
  if (declared === undefined && patterns.length === 0) return undefined;
  const type = unite([...patterns, declared ?? true].map((schema) => toSchema(schema, context)));
  return Object.keys(type).length === 0 ? true : type;
}

/** A property: the only place where comments are, and where `readOnly` and `writeOnly` mean something. */
export function toProperty(schema: unknown, context: SchemaContext): TypedSchema {
  const property = toAnnotatedSchema(schema, context);
  const read = isMarked(schema, "readOnly", context.document);
  if (read === isMarked(schema, "writeOnly", context.document)) return property;
  context.imports.add(read ? "$Read" : "$Write");
  return { ...property, [read ? "readOnly" : "writeOnly"]: true };
}

/** Whether a schema, or what it refers to, says so. */
function isMarked(schema: unknown, key: "readOnly" | "writeOnly", document: Node): boolean {
  if (!isNode(schema)) return false;
  return getOwn(schema, key) === true || getOwn(dereference(document, schema) ?? {}, key) === true;
}
