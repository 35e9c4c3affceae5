import type { Node } from "tenon/core/document";
import { isRange, toEssence, toMediaKind, toReplyKind } from "tenon/core/http";
import {
  type Form,
  hasFiles,
  type MediaType,
  type Parameter,
  type RequestBody,
  type Response,
  type ResponseHeader,
} from "tenon/core/model";
import { type SchemaContext, toAnnotatedSchema, toAnnotations, toMembers, toSchema } from "./schema.js";
import { ANY, encodeName, extension, isAny, referTo, type TypedSchema, unite } from "./typed-schema.js";

const STRING: TypedSchema = { type: "string" };
const FILE = extension({ kind: "named", name: "FilePart" });
const BLOB = extension({ kind: "named", name: "Blob" });

/** Kinds of components that parts of an operation can refer to. */
export type ComponentKind = "responses" | "parameters" | "requestBodies" | "headers";

export interface ContentContext extends SchemaContext {
  /** Returns the reference of a part of an operation if it is a component. */
  readonly findComponent: (part: { readonly pointer: string }) => string | undefined;
}

/** @see https://spec.openapis.org/oas/v3.1.0#response-object */
export function toResponse(response: Omit<Response, "status">, context: ContentContext): Node {
  const headers = response.headers.map((header): [name: string, Node] => {
    const reference = context.findComponent(header);
    const { required } = header;
    // openapi-typescript treats every header that is a reference as required.
    const name = encodeName(header.name);
    return [name, reference ? { required, schema: referTo(reference) } : toHeader(header, context)];
  });
  return {
    ...toAnnotations(response),
    headers: Object.fromEntries(headers),
    content: toContent(response, (mediaType) => toReceived(mediaType, context)),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#header-object */
export function toHeader(header: ResponseHeader, context: SchemaContext): Node {
  return { ...toNote(header), required: header.required, schema: toSchema(header.schema, context) };
}

/** @see https://spec.openapis.org/oas/v3.1.0#request-body-object */
export function toRequestBody(body: RequestBody, context: SchemaContext): Node {
  return {
    ...toAnnotations(body),
    required: body.required,
    content: toContent(body, (mediaType) => toSent(mediaType, context)),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
export function toParameter(parameter: Parameter, context: SchemaContext): Node {
  return withSchema(parameter, toAnnotatedSchema(parameter.schema, context));
}

/** @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
export function toOperationParameter(parameter: Parameter, context: ContentContext): Node {
  const reference = context.findComponent(parameter);
  // For a parameter that is a reference, openapi-typescript would resolve it to find the name.
  return reference === undefined
    ? toParameter(parameter, context)
    : withSchema(parameter, referTo(reference));
}

function withSchema(parameter: Parameter, typed: TypedSchema): Node {
  const { name, in: location, required, schema } = parameter;
  return {
    ...toNote(parameter),
    ...("default" in schema && { default: schema.default }),
    name: encodeName(name),
    in: location,
    required,
    schema: typed,
  };
}

function toNote({ examples, ...rest }: Parameter | ResponseHeader): Node {
  return toAnnotations({
    ...rest,
    ...(examples.length > 0 && { examples: examples.map(({ value }) => value) }),
  });
}

function toContent(
  { mediaTypes }: { readonly mediaTypes: readonly MediaType[] },
  toType: (mediaType: MediaType) => TypedSchema,
): Node {
  return Object.fromEntries(
    mediaTypes.map((mediaType) => [encodeName(mediaType.name), { schema: toType(mediaType) }]),
  );
}

/** Converts the content that a client receives: items one by one, JSON as a value, text as a string, anything else as a Blob. */
function toReceived({ name, schema, items }: MediaType, context: SchemaContext): TypedSchema {
  if (items) {
    const inner = { ...context, bytes: BLOB };
    const { whole } = items.parts ?? {};
    return whole ? toSchema(whole, inner) : extension({ kind: "items", item: toSchema(items.schema, inner) });
  }
  const value = (): TypedSchema => (schema === undefined ? ANY : toSchema(schema, context));
  if (!isRange(name)) {
    const kind = toReplyKind(name);
    return kind === "json" ? value() : kind === "text" ? STRING : BLOB;
  }
  // The response names its actual media type.
  const [type] = toEssence(name).split("/");
  if (type === "text") return STRING;
  return type === "*" || type === "application" ? unite([value(), STRING, BLOB]) : BLOB;
}

/** Converts the content that a client sends: items, a value for JSON or a form, text, or bytes. */
function toSent({ name, schema, form, items }: MediaType, context: SchemaContext): TypedSchema {
  if (items?.parts) context.imports.add("FilePart");
  if (items?.parts?.whole) return toSchema(items.parts.whole, { ...context, bytes: FILE });
  if (items) {
    const item = toSchema(items.schema, { ...context, bytes: FILE });
    return unite([extension({ kind: "items", item }), extension({ kind: "items", item, sync: true })]);
  }
  const value = (): TypedSchema => (schema === undefined ? ANY : toSchema(schema, context));
  switch (toMediaKind(name)) {
    case "json":
      return value();
    case "form":
      return unite([value(), named("URLSearchParams")]);
    case "multipart":
      return unite([hasFiles(form) ? toFormWithFiles(form, context) : value(), named("FormData")]);
    case "text":
      return STRING;
    case "binary": {
      const [type] = toEssence(name).split("/");
      const whole = isRange(name) && (type === "*" || type === "application") ? value() : undefined;
      // Any value includes bytes, and an unused import does not compile.
      if (whole && isAny(whole)) return ANY;
      context.imports.add("Bytes");
      return whole === undefined ? named("Bytes") : unite([whole, STRING, named("Bytes")]);
    }
  }
}

function named(name: string): TypedSchema {
  return extension({ kind: "named", name });
}

/** Converts a form with files. The schema describes a file as a string; a client sends its bytes, name and media type. */
function toFormWithFiles({ fields, others }: Form, context: SchemaContext): TypedSchema {
  context.imports.add("FilePart");
  const toType = (type: Form["others"], other: () => TypedSchema): TypedSchema =>
    type === "file" ? FILE : type === "files" ? { type: "array", items: FILE } : other();
  return toMembers(
    fields
      .filter(({ schema }) => !context.registry.isAbsent(schema, "request"))
      .map(({ name, schema, type }) => [
        name,
        { ...toAnnotations(schema), ...toType(type, () => toSchema(schema, context)) },
      ]),
    fields.filter(({ required }) => required).map(({ name }) => name),
    others && toType(others, () => ANY),
  );
}
