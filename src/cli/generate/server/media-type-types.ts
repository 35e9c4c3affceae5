import {
  findNegotiated,
  isRange,
  type Position,
  type Positions,
  toEssence,
  toPartKind,
  toReplyKind,
} from "tenon/core/http";
import {
  type Form,
  type FormField,
  hasFiles,
  type Items,
  type MediaType,
  type Operation,
  type RequestBody,
  toContentKind,
  toRequestKind,
} from "tenon/core/model";
import { type Context, describeSchema, emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitKey, emitValue } from "../text.js";

/**
 * Emits the type of a request's body: the type of its media type, or for several media types a union that `mediaType`
 * discriminates.
 */
export function emitRequestBody(requestBody: RequestBody | undefined, context: Context): string {
  const [single, ...others] = requestBody?.mediaTypes ?? [];
  if (requestBody === undefined || single === undefined) return "undefined";
  const optional = requestBody.required ? "" : " | undefined";
  if (others.length === 0 && !isRange(single.name))
    return `${emitRequestValue(single, context, "  ")}${optional}`;
  const members = requestBody.mediaTypes.map((mediaType) => {
    const contentType = isRange(mediaType.name) ? "readonly contentType: string; " : "";
    const value = emitRequestValue(mediaType, context, "      ");
    return `\n    | { readonly mediaType: ${emitValue(mediaType.name)}; ${contentType}readonly value: ${value} }`;
  });
  return `${members.join("")}${optional && "\n    | undefined"}`;
}

/** Tests whether a response of the operation is a stream of items. */
export function hasItems({ responses }: Operation): boolean {
  return responses.some(({ mediaTypes }) => mediaTypes.some(({ items }) => items && !items.parts?.whole));
}

/** Emits the type of the items of an operation's responses, of all of them if they differ. */
export function emitItemType({ responses }: Operation, context: Context, indent: string): string {
  const types = responses.flatMap(({ mediaTypes }) =>
    mediaTypes.flatMap(({ items }) =>
      items && !items.parts?.whole ? [emitType(items.schema, { ...context, view: "response" }, indent)] : [],
    ),
  );
  return [...new Set(types)].join(" | ");
}

/** Emits the content parameters of a reply method: the body, and for a range the media type to send. */
export function emitReplyContent(
  mediaType: MediaType,
  context: Context & { readonly operation?: Operation },
  indent: string,
): readonly string[] {
  const body = `body: ${emitReplyValue(mediaType, context, indent)}`;
  return isRange(mediaType.name) ? [`mediaType: ${emitRangeType(mediaType.name)}`, body] : [body];
}

/** Lists the types that server.ts imports for the content of an operation. */
export function contentImports(
  operation: Operation,
): readonly ("Accepts" | "ByteSource" | "FormFile" | "ItemSource" | "Readable")[] {
  const { requestBody, responses } = operation;
  const hasBytes = responses.some(({ mediaTypes }) => mediaTypes.some(isBytes));
  const hasFile = requestBody?.mediaTypes.some(({ form, items }) => hasFiles(form) || hasBytePart(items));
  return [
    ...(findNegotiated(responses).length > 1 ? (["Accepts"] as const) : []),
    ...(hasBytes ? (["ByteSource"] as const) : []),
    ...(hasFile === true ? (["FormFile"] as const) : []),
    ...(hasItems(operation) ? (["ItemSource"] as const) : []),
    ...(requestBody?.mediaTypes.some((mediaType) => toRequestKind(mediaType) === "binary") === true ||
    hasBytes
      ? (["Readable"] as const)
      : []),
  ];
}

/** Tests whether a part of a multipart body is bytes. */
function hasBytePart(items: Items | undefined): boolean {
  const isBytes = ({ mediaTypes, parts, as }: Position): boolean =>
    parts ? hasBytes(parts) : mediaTypes.some((name) => toPartKind(name, as ? { as } : {}) === "binary");
  const hasBytes = ({ prefix = [], rest }: Positions): boolean =>
    [...prefix, ...(rest ? [rest] : [])].some(isBytes);
  return items?.parts !== undefined && hasBytes(items.parts.positions);
}

function emitRequestValue(mediaType: MediaType, context: Context, indent: string): string {
  const request = { ...context, view: "request" } as const;
  const { form } = mediaType;
  if (toRequestKind(mediaType) === "binary") return "Readable";
  return hasFiles(form)
    ? emitFormWithFiles(form, request, indent)
    : emitValueType(mediaType, request, indent);
}

/** Emits the type of a body without files. */
export function emitValueType(mediaType: MediaType, context: TypeContext, indent: string): string {
  switch (toRequestKind(mediaType)) {
    case "text":
      return "string";
    case "binary":
      return "Uint8Array";
    case "items":
      if (mediaType.items?.parts?.whole) return emitType(mediaType.items.parts.whole, context, indent);
      return `AsyncIterable<${emitType(mediaType.items?.schema, context, indent)}>`;
    case "form":
    case "json":
    case "multipart":
      return emitType(mediaType.schema, context, indent);
  }
}

/** Emits the type of a form with files. The schema describes a file as a string; a handler gets its bytes, name and media type. */
function emitFormWithFiles({ fields, others }: Form, context: TypeContext, indent: string): string {
  const inner = `${indent}  `;
  const members = fields
    .filter(({ schema }) => !context.registry.isAbsent(schema, context.view))
    .map(({ name, required, schema, type }) => {
      const optional = required || "default" in schema ? "" : "?";
      const text = emitFile(type) ?? emitType(schema, context, inner);
      const comment = emitComment(describeSchema(schema), inner);
      return `${comment}${inner}readonly ${emitKey(name)}${optional}: ${text};\n`;
    });
  if (others !== undefined) {
    // The type of an index signature would have to include the declared members.
    const text = members.length > 0 ? "unknown" : (emitFile(others) ?? "unknown");
    members.push(`${inner}readonly [key: string]: ${text};\n`);
  }
  return `{\n${members.join("")}${indent}}`;
}

function emitFile(type: FormField["type"]): string | undefined {
  if (type === "file") return "FormFile";
  return type === "files" ? "readonly FormFile[]" : undefined;
}

function emitReplyValue(
  mediaType: MediaType,
  { operation, ...context }: Context & { readonly operation?: Operation },
  indent: string,
): string {
  const { items } = mediaType;
  if (items?.parts?.whole) return emitType(items.parts.whole, { ...context, view: "response" }, indent);
  if (items) {
    const type = emitType(items.schema, { ...context, view: "response" }, indent);
    const isOnly = operation !== undefined && emitItemType(operation, context, indent) === type;
    return `ItemSource<${isOnly ? context.names.item(operation) : type}>`;
  }
  if (isBytes(mediaType)) return "Uint8Array | Readable | ByteSource";
  if (toReplyKind(mediaType.name) === "text") return "string";
  return emitType(mediaType.schema, { ...context, view: "response" }, indent);
}

function isBytes(mediaType: MediaType): boolean {
  return toContentKind(mediaType) === "binary";
}

function emitRangeType(name: string): string {
  return `\`${toEssence(name).replaceAll("*", "${string}")}\``;
}
