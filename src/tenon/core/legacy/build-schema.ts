import {
  type DocumentContext,
  getSchemas,
  isNode,
  type Located,
  members,
  type Node,
  resolve,
  toArray,
  toStrings,
  toText,
} from "./document.js";
import { getOwn, joinPointer, parsePointer } from "../document/pointer.js";
import { readDiscriminator } from "./discriminator.js";
import { impliedType } from "../schema/implied-type.js";
import { notableLifecycle } from "../document/lifecycle.js";
import type { JsonType, Schema } from "./model.js";

/**
 * Builds the model of the schema under `key` of `parent`. Values under `example`, `default`, `const` and `enum` are data:
 * a `$ref` in them is never followed.
 * @see https://spec.openapis.org/oas/v3.1.0#schema-object
 * @see https://spec.openapis.org/oas/v3.0.3#schema-object
 */
export function buildSchema({ node, pointer }: Located, key: string, context: DocumentContext): Schema {
  return build(getOwn(node, key), joinPointer(pointer, key), { ...context, inlining: [] });
}

interface SchemaContext extends DocumentContext {
  /** References whose targets are being repeated in place. */
  readonly inlining: readonly string[];
}

function build(value: unknown, pointer: string, context: SchemaContext): Schema {
  if (value === false) return { never: true };
  if (!isNode(value)) return {};
  for (const key of ["$dynamicRef", "$recursiveRef"].filter((name) => name in value)) {
    const message = `Cannot emit ${key}: what it refers to depends on who refers to its schema`;
    context.report("schema-unsupported", joinPointer(pointer, key), message, "Use $ref");
  }
  const reference = toText(value["$ref"]);
  if (reference === undefined) return buildKeywords(value, pointer, context);
  const target = buildReference(reference, { node: value, pointer }, context);
  // OpenAPI 3.0 ignores the siblings of `$ref`.
  return isDialect30(context) ? target : { ...target, ...buildKeywords(value, pointer, context) };
}

function buildReference(reference: string, from: Located, context: SchemaContext): Schema {
  const target = resolve(from, context);
  if (target === undefined) return {};
  const [root, kind, name, ...rest] = parsePointer(reference);
  if (root === "components" && kind === "schemas" && name !== undefined && rest.length === 0)
    return { reference: name };

  // A reference into the middle of something has no name to refer to: its target is repeated.
  if (context.inlining.includes(reference)) {
    const hint = "Move the schema to components/schemas and refer to it there";
    context.report(
      "schema-circular",
      from.pointer,
      `Cannot repeat $ref "${reference}": it leads back to itself`,
      hint,
    );
    return {};
  }
  return build(target.node, target.pointer, { ...context, inlining: [...context.inlining, reference] });
}

function buildKeywords(node: Node, pointer: string, context: SchemaContext): Schema {
  const child = (key: string) =>
    getOwn(node, key) === undefined ? {} : { [key]: build(node[key], joinPointer(pointer, key), context) };
  const list = (key: string) => {
    const schemas = toArray(node[key]).map((value, index) =>
      build(value, joinPointer(pointer, key, index), context),
    );
    return schemas.length > 0 ? { [key]: schemas } : {};
  };
  return {
    ...buildAnnotations(node),
    ...buildTypes(node, isDialect30(context)),
    ...buildProperties(node, joinPointer(pointer, "properties"), context),
    ...buildAdditionalProperties(node, pointer, context),
    ...child("items"),
    ...list("prefixItems"),
    ...(typeof node["minItems"] === "number" && { minItems: node["minItems"] }),
    ...list("allOf"),
    ...tagChoices({ ...list("oneOf"), ...list("anyOf") }, node, context),
  };
}

/** Adds to each choice the values that its discriminator has, where its own schema does not say them. */
function tagChoices({ oneOf, anyOf }: Schema, node: Node, { document }: SchemaContext): Schema {
  const discriminator = readDiscriminator(node, getSchemas(document));
  const tag = (choice: Schema, index: number): Schema => {
    const { values = [], declared } = discriminator?.choices[index] ?? {};
    if (discriminator === undefined || declared !== false) return choice;
    const property = { name: discriminator.propertyName, required: true, schema: { enum: values } };
    return { allOf: [choice, { types: ["object"], properties: [property] }] };
  };
  // A discriminator is about `oneOf` where there is one.
  const tagged = oneOf === undefined ? anyOf?.map(tag) : anyOf;
  return { ...(oneOf && { oneOf: oneOf.map(tag) }), ...(tagged && { anyOf: tagged }) };
}

function buildAnnotations(node: Node): Schema {
  const description = toText(node["description"]) ?? toText(node["title"]);
  return {
    ...(description !== undefined && { description }),
    ...notableLifecycle(node),
    ...(node["readOnly"] === true && { readOnly: true }),
    ...(node["writeOnly"] === true && { writeOnly: true }),
    ...(getOwn(node, "default") !== undefined && { hasDefault: true }),
    ...(isBinary(node) && { binary: true }),
  };
}

/** OpenAPI 3.0 says `format: binary`; 3.1 describes bytes by `contentMediaType`, and text that holds them by `contentEncoding`. */
function isBinary(node: Node): boolean {
  if (node["format"] === "binary") return true;
  return toText(node["contentMediaType"]) !== undefined && node["contentEncoding"] === undefined;
}

function buildTypes(node: Node, dialect30: boolean): Schema {
  const stated = typeof node["type"] === "string" ? [node["type"]] : toStrings(node["type"]);
  const implied = impliedType(node);
  const declared = implied === undefined ? stated : [implied];
  const values = getOwn(node, "const") === undefined ? toArray(node["enum"]) : [node["const"]];
  const types = declared.filter((type) => type !== "null") as JsonType[];
  const restricted = values.length > 0;
  // An enum without null excludes it whatever `type` says. `nullable` beside an enum is read as its author meant it.
  const nullable =
    (dialect30 && node["nullable"] === true) ||
    (restricted ? values.includes(null) : declared.includes("null"));
  return {
    ...(declared.length > 0 && { types }),
    ...(nullable && { nullable: true }),
    ...(restricted && { enum: values.filter((value) => value !== null) }),
  };
}

function buildProperties(node: Node, pointer: string, context: SchemaContext): Schema {
  const declared = isNode(node["properties"]) ? Object.entries(node["properties"]) : [];
  const required = new Set(toStrings(node["required"]));
  const properties = declared.map(([name, value]) => ({
    name,
    required: required.has(name),
    schema: build(value, joinPointer(pointer, name), context),
  }));
  for (const { name } of properties) required.delete(name);
  return {
    ...(properties.length > 0 && { properties }),
    ...(required.size > 0 && { requiredElsewhere: [...required] }),
  };
}

/**
 * What members beside the declared ones may be: of one of the patterns' schemas, or what `additionalProperties` allows.
 * `unevaluatedProperties` is the same where no other part of the schema could have evaluated one.
 */
function buildAdditionalProperties(node: Node, pointer: string, context: SchemaContext): Schema {
  const composed = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"].some((key) => key in node);
  const key = "additionalProperties" in node || composed ? "additionalProperties" : "unevaluatedProperties";
  const declared = getOwn(node, key);
  const others = declared === undefined ? undefined : build(declared, joinPointer(pointer, key), context);
  const patterns = members({ node, pointer }, "patternProperties").map((pattern) =>
    build(pattern.node, pattern.pointer, context),
  );
  if (patterns.length === 0) return others === undefined ? {} : { additionalProperties: others };
  return { additionalProperties: { anyOf: [...patterns, others ?? {}] } };
}

function isDialect30({ document }: DocumentContext): boolean {
  return toText(document["openapi"])?.startsWith("3.0.") ?? false;
}
