import type { MediaType, Operation, RequestBody } from "../contract/model.js";
import { isRange, toEssence, toMediaKind, toNegotiated, toReplyKind } from "../media-type.js";
import { type Field, toFields } from "./form-fields.js";
import { emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitKey, emitValue } from "./text.js";

type Context = Omit<TypeContext, "view">;

/**
 * Emits the type of a request's body: the type of its media type, or where more than one can arrive a union that
 * `mediaType` tells apart.
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

/** Emits the parameters of a reply method that say its content; a range is told which media type of it is sent. */
export function emitReplyContent(mediaType: MediaType, context: Context, indent: string): readonly string[] {
  const body = `body: ${emitReplyValue(mediaType, context, indent)}`;
  return isRange(mediaType.name) ? [`mediaType: ${emitRangeType(mediaType.name)}`, body] : [body];
}

/** Media types that `Accept` chooses among; a choice only when there are several. */
export function negotiatedMediaTypes({ responses }: Operation): readonly string[] {
  return toNegotiated(
    responses.map(({ status, mediaTypes }) => [status, mediaTypes.map(({ name }) => name)] as const),
  );
}

/** Types that server.ts has to import for the content of an operation. */
export function contentImports(
  operation: Operation,
  schemas: Context["schemas"],
): readonly ("Accepts" | "FormFile" | "Readable")[] {
  const { requestBody, responses } = operation;
  const hasFile = requestBody?.mediaTypes.some((mediaType) =>
    hasFiles(mediaType, toFields(mediaType, schemas)),
  );
  return [
    ...(negotiatedMediaTypes(operation).length > 1 ? (["Accepts"] as const) : []),
    ...(hasFile === true ? (["FormFile"] as const) : []),
    ...(responses.some(({ mediaTypes }) => mediaTypes.some(isBytes)) ? (["Readable"] as const) : []),
  ];
}

function emitRequestValue(mediaType: MediaType, context: Context, indent: string): string {
  switch (toMediaKind(mediaType.name)) {
    case "text":
      return "string";
    case "binary":
      return "Uint8Array";
    case "multipart":
      return emitMultipart(mediaType, context, indent);
    case "form":
    case "json":
      return emitType(mediaType.schema, { ...context, view: "request" }, indent);
  }
}

/** Emits the type of what is sent to, or answered by, a receiver of a callback or webhook; handlers do neither through Tenon. */
export function emitOutgoingValue(mediaType: MediaType, context: TypeContext, indent: string): string {
  switch (toMediaKind(mediaType.name)) {
    case "text":
      return "string";
    case "binary":
      return "Uint8Array";
    case "form":
    case "json":
    case "multipart":
      return emitType(mediaType.schema, context, indent);
  }
}

/** The schema says a file as a string; a handler gets its bytes with their name and media type. */
function emitMultipart(mediaType: MediaType, context: Context, indent: string): string {
  const fields = toFields(mediaType, context.schemas);
  const request = { ...context, view: "request" } as const;
  if (!hasFiles(mediaType, fields)) return emitType(mediaType.schema, request, indent);
  const members = fields.map(({ property, type, array }) => {
    const { name, required, schema } = property;
    const optional = required || schema.hasDefault === true ? "" : "?";
    const file = array ? "readonly FormFile[]" : "FormFile";
    const text = type === "file" ? file : emitType(schema, request, `${indent}  `);
    const comment = emitComment([schema.description, schema.deprecated && "@deprecated"], `${indent}  `);
    return `${comment}${indent}  readonly ${emitKey(name)}${optional}: ${text};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function hasFiles({ name }: MediaType, fields: readonly Field[]): boolean {
  return toMediaKind(name) === "multipart" && fields.some(({ type }) => type === "file");
}

function emitReplyValue(mediaType: MediaType, context: Context, indent: string): string {
  if (isBytes(mediaType)) return "Uint8Array | Readable";
  if (toReplyKind(mediaType.name) === "text") return "string";
  return emitType(mediaType.schema, { ...context, view: "response" }, indent);
}

function isBytes({ name }: MediaType): boolean {
  return toReplyKind(name) === "binary";
}

function emitRangeType(name: string): string {
  return `\`${toEssence(name).replaceAll("*", "${string}")}\``;
}
