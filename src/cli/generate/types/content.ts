import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { isRange, toEssence, toMediaKind, toReplyKind } from "tenon/core/http/media-type";
import { encodeName } from "./names.js";
import { dereference, entries, follow, toComponent, toReference } from "./references.js";
import { type SchemaContext, toAnnotatedSchema, toAnnotations, toSchema } from "./schema.js";
import { ANY, extension, type TypedSchema, unite } from "./typed-schema.js";

const STRING: TypedSchema = { type: "string" };
const BLOB = extension({ kind: "named", name: "Blob" });

/** Parts of an operation that may be references to components of their own kind. */
export type ComponentKind = "responses" | "parameters" | "requestBodies" | "headers";

/**
 * Rewrites a part of an operation: a reference to a component stays one, anything else is rewritten in place.
 * @param build Rewrites what is no reference, or what a reference to no component leads to.
 */
export function toPart(
  value: unknown,
  kind: ComponentKind,
  { context, build }: { readonly context: SchemaContext; readonly build: (node: Node) => Node },
): Node | undefined {
  const { document } = context;
  const node = dereference(document, value);
  const reference = isNode(value) ? toText(getOwn(value, "$ref")) : undefined;
  if (node === undefined) {
    if (reference !== undefined) context.report(`$ref "${reference}" leads nowhere`);
    return undefined;
  }
  const component = reference === undefined ? undefined : toComponent(follow(document, reference).pointer);
  if (component?.kind !== kind) return build(node);
  // For an operation to know whether a body must be sent.
  const required = node["required"] === true;
  return { ...toAnnotations(value as Node), required, $ref: toReference(kind, component.name) };
}

/** @see https://spec.openapis.org/oas/v3.1.0#response-object */
export function toResponse(node: Node, context: SchemaContext): Node {
  const headers = entries(node, "headers").flatMap(([name, value]) => {
    const header = toPart(value, "headers", { context, build: (built) => toHeader(built, context) });
    if (header === undefined) return [];
    const { $ref: reference, ...own } = header;
    // openapi-typescript takes every header that is a reference for required.
    return [[encodeName(name), reference === undefined ? header : { ...own, schema: { $ref: reference } }]];
  });
  return {
    ...toAnnotations(node),
    headers: Object.fromEntries(headers) as Node,
    content: toContent(node, (name, schema) => toReceived(name, schema, context)),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#header-object */
export function toHeader(node: Node, context: SchemaContext): Node {
  const required = node["required"] === true;
  return { ...toAnnotations(node), required, schema: toSchema(findSchema(node), context) };
}

/** @see https://spec.openapis.org/oas/v3.1.0#request-body-object */
export function toRequestBody(node: Node, context: SchemaContext): Node {
  return {
    ...toAnnotations(node),
    required: node["required"] === true,
    content: toContent(node, (name, schema) => toSent(name, schema, context)),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
export function toParameter(node: Node, context: SchemaContext): Node {
  const declared = findSchema(node);
  const defaults = getOwn(isNode(declared) ? declared : {}, "default");
  return {
    ...(defaults !== undefined && { default: defaults }),
    ...toAnnotations(node),
    name: encodeName(toText(node["name"]) ?? ""),
    in: node["in"],
    required: node["required"] === true,
    // openapi-typescript takes a schema that is nothing for a text.
    schema: toAnnotatedSchema(declared ?? true, context),
  };
}

/** The schema of a header or parameter, its own or its media type's. */
function findSchema(node: Node): unknown {
  const own = getOwn(node, "schema");
  if (own !== undefined) return own;
  const [[, mediaType] = []] = entries(node, "content");
  return isNode(mediaType) ? getOwn(mediaType, "schema") : undefined;
}

function toContent(node: Node, toType: (name: string, schema: unknown) => TypedSchema): Node {
  const mediaTypes = entries(node, "content").map(([name, value]) => {
    const schema = toType(name, isNode(value) ? getOwn(value, "schema") : undefined);
    return [encodeName(name), { schema }] as const;
  });
  return Object.fromEntries(mediaTypes);
}

/** What a client gets: JSON as a value, text as a string, anything else as a Blob. */
function toReceived(name: string, schema: unknown, context: SchemaContext): TypedSchema {
  const value = () => (schema === undefined ? ANY : toSchema(schema, context));
  if (!isRange(name)) {
    const kind = toReplyKind(name);
    return kind === "json" ? value() : kind === "text" ? STRING : BLOB;
  }
  // Which of them arrives, the answer says.
  const [type] = toEssence(name).split("/");
  if (type === "text") return STRING;
  return type === "*" || type === "application" ? unite([value(), STRING, BLOB]) : BLOB;
}

/** What a client sends: a value that becomes JSON or a form, text, or bytes. */
function toSent(name: string, schema: unknown, context: SchemaContext): TypedSchema {
  const value = (multipart?: "form") =>
    schema === undefined ? ANY : toSchema(schema, { ...context, multipart });
  const imported = (type: string) => {
    context.imports.add(type);
    return extension({ kind: "named", name: type });
  };
  switch (toMediaKind(name)) {
    case "json":
      return value();
    case "form":
      return unite([value(), extension({ kind: "named", name: "URLSearchParams" })]);
    case "multipart":
      return unite([value("form"), extension({ kind: "named", name: "FormData" })]);
    case "text":
      return STRING;
    case "binary": {
      const [type] = toEssence(name).split("/");
      if (!isRange(name) || (type !== "*" && type !== "application")) return imported("Bytes");
      return unite([value(), STRING, imported("Bytes")]);
    }
  }
}
