import type { Form, FormField, MediaType, Operation, RequestBody } from "tenon/core/legacy/model";
import { isRange, toEssence, toMediaKind, toNegotiated, toReplyKind } from "tenon/core/http/media-type";
import { lifecycleLines } from "./lifecycle-comment.js";
import { emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitKey, emitValue } from "./text.js";
import { isPresent } from "./views.js";

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
export function contentImports(operation: Operation): readonly ("Accepts" | "FormFile" | "Readable")[] {
  const { requestBody, responses } = operation;
  const hasFile = requestBody?.mediaTypes.some(({ form }) => hasFiles(form));
  return [
    ...(negotiatedMediaTypes(operation).length > 1 ? (["Accepts"] as const) : []),
    ...(hasFile === true ? (["FormFile"] as const) : []),
    ...(responses.some(({ mediaTypes }) => mediaTypes.some(isBytes)) ? (["Readable"] as const) : []),
  ];
}

function emitRequestValue({ name, schema, form }: MediaType, context: Context, indent: string): string {
  const request = { ...context, view: "request" } as const;
  if (hasFiles(form)) return emitFormWithFiles(form, request, indent);
  switch (typeof form === "string" ? form : toMediaKind(name)) {
    case "text":
      return "string";
    case "binary":
      return "Uint8Array";
    case "form":
    case "multipart":
    case "json":
      return emitType(schema, request, indent);
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
function emitFormWithFiles({ fields, others }: Form, context: TypeContext, indent: string): string {
  const inner = `${indent}  `;
  const members = fields
    .filter(({ property }) => isPresent(property, context.view, context.schemas))
    .map(({ property, type }) => {
      const { name, required, schema } = property;
      const optional = required || schema.hasDefault === true ? "" : "?";
      const text = emitFile(type) ?? emitType(schema, context, inner);
      const comment = emitComment([schema.description, ...lifecycleLines(schema.lifecycle)], inner);
      return `${comment}${inner}readonly ${emitKey(name)}${optional}: ${text};\n`;
    });
  if (others !== undefined) {
    // The type of further members would have to hold for the declared ones too.
    const text = members.length > 0 ? "unknown" : (emitFile(others.type) ?? "unknown");
    members.push(`${inner}readonly [key: string]: ${text};\n`);
  }
  return `{\n${members.join("")}${indent}}`;
}

function emitFile(type: FormField["type"]): string | undefined {
  if (type === "file") return "FormFile";
  return type === "files" ? "readonly FormFile[]" : undefined;
}

function hasFiles(form: MediaType["form"]): form is Form {
  if (form === undefined || typeof form === "string") return false;
  return [...form.fields, form.others].some((field) => field && emitFile(field.type) !== undefined);
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
